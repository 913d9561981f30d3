import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const REPORT = `# Counting the batches of NAME dies with ZeroDivisionError

Linux, no third-party packages.

With a batch size of 0 the count dies. It prints the first sizes and then:

\`\`\`
Traceback (most recent call last):
  File "NAME.py", line 14, in <module>
    main()
  File "NAME.py", line 10, in main
    print("batches", count(12, size), flush=True)
  File "batches.py", line 3, in count
    return items // size
ZeroDivisionError: integer division or modulo by zero
\`\`\`

Expected: a count for every size.

To reproduce: \`python NAME.py\`
`;

const ENTRY = `import time

from batches import count


def main():
    """Slow enough to be killed while it runs."""
    time.sleep(0.7)
    for size in (4, 3, 0):
        print("batches", count(12, size), flush=True)


if __name__ == "__main__":
    main()
`;

const BATCHES = `def count(items, size):
    """Number of whole batches."""
    return items // size
`;

const PATCH = `--- a/project/batches.py
+++ b/project/batches.py
@@ -1,3 +1,5 @@
 def count(items, size):
     """Number of whole batches."""
+    if size == 0:
+        return 0
     return items // size
`;

/**
 * Writes a small case that needs the standard library only and takes several trials in every arm.
 * @param directory absolute path of the case's folder; must not hold `name`, by which processes of trials are told from others.
 * @param name a word that no other command line on this machine holds; it makes the case a new one and marks its processes.
 */
export async function writeKillCase(directory: string, name: string): Promise<void> {
  await mkdir(path.join(directory, 'project'), { recursive: true });
  await writeFile(path.join(directory, 'report.md'), REPORT.replaceAll('NAME', name));
  await writeFile(path.join(directory, 'project', `${name}.py`), ENTRY);
  await writeFile(path.join(directory, 'project', 'batches.py'), BATCHES);
  await writeFile(path.join(directory, 'fix.patch'), PATCH);
}
