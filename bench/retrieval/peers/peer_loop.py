"""How a peer speaks: a JSON object a line on standard input, one answer a line on standard output."""

import json
import sys
import time


def serve(commands):
    """Answers {"do": NAME, ...} by `commands[NAME](**rest)`; what the command takes is told as `seconds` and `cpuSeconds`."""
    for line in sys.stdin:
        request = json.loads(line)
        command = commands[request.pop("do")]
        begun, cpu = time.perf_counter(), time.process_time()
        try:
            answer = command(**request)
        except Exception as error:  # noqa: BLE001 - told to the bench, which shows it
            answer = {"error": f"{type(error).__name__}: {error}"}
        answer.setdefault("seconds", time.perf_counter() - begun)
        answer.setdefault("cpuSeconds", time.process_time() - cpu)
        print(json.dumps(answer), flush=True)


def read_tokens(file):
    """One chunk a line, tokens between spaces."""
    with open(file, encoding="utf-8", newline="\n") as handle:
        return [line.rstrip("\n").split(" ") for line in handle]
