"""The first process of an unprotected pod: it has a secret where everybody sees it, and starts the script in its argument."""

import subprocess
import sys

subprocess.run([sys.executable, "-c", sys.argv[1]])
print("the first process is still there", flush=True)
