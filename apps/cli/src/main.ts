import { wantsColor } from './config.js';
import { runProgram } from './run-program.js';

const isTerminal = process.stderr.isTTY === true;
// a reader that went away (`| head`) is no error
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 70));

const status = await runProgram(process.argv.slice(2), {
  console: {
    data: (text) => process.stdout.write(text),
    talk: (text) => process.stderr.write(text),
    color: wantsColor(isTerminal && process.stdout.isTTY === true),
    isTerminal,
  },
  workingDirectory: process.cwd(),
  exitStatus: 0,
});

// what was written is flushed before the process goes; open gRPC channels do not keep it
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))));
process.exit(status);
