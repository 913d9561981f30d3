"""Starts the ranks, hands the first weights of rank 0 to all, averages gradients."""
import json
import os
import subprocess
import sys

WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")


def send(link, value):
    link.stdin.write(json.dumps(value) + "\n")
    link.stdin.flush()


def receive(links):
    return [json.loads(link.stdout.readline()) for link in links]


def broadcast(links, value):
    answers = [None] * len(links)
    for rank in range(1, len(links) - 1):
        answers[rank] = value
    for link, answer in zip(links, answers):
        send(link, answer)


def train(world=3, steps=4):
    """Weights of all ranks after each step."""
    links = [subprocess.Popen([sys.executable, WORKER, str(rank)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
             for rank in range(world)]
    broadcast(links, receive(links)[0])
    history = []
    for _ in range(steps):
        gradients = receive(links)
        for link in links:
            send(link, sum(gradients) / world)
        history.append(receive(links))
        for link in links:
            send(link, None)
    for link in links:
        link.communicate()
    return history


if __name__ == "__main__":
    for step, weights in enumerate(train()):
        print(step, " ".join(f"{weight:.4f}" for weight in weights))
