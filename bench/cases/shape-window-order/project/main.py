"""Forecasts all sensors and prints the shapes."""
from forecast import LastValue, shape, windows
from sensors import sensors


def run(channels, horizon, length=8, steps=30):
    batch = windows(sensors(steps, channels), length)
    forecast = LastValue(horizon).predict(batch)
    print(f"input {shape(batch)} forecast {shape(forecast)}", flush=True)
    return batch, forecast


if __name__ == "__main__":
    run(channels=3, horizon=5)
