"""Both steps from typed coroutines, in a folder of their own."""
from __future__ import annotations

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import asyncio
import tempfile

import train


async def step(name: str, path: str) -> list[float] | None:
    await asyncio.sleep(0)
    return getattr(train, name)(path)


async def main() -> int:
    await step("start", "c.json")
    scores = await step("resume", "c.json")
    return len(scores or [])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        resumed: int = asyncio.run(main())
        os.chdir(HERE)
    print(f"OBS resumed={resumed}")
