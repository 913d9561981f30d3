import type { Report } from '@reenact/domain';
import { findAll, spanOf, spanWithin, uniqueBy } from '../scan.js';

const PYTHON =
  /(?<![\w./-])(?:c?python(?: version)?|py)[ :=]{1,4}v?(\d\.\d{1,2}(?:\.(?:\d{1,2}|x))?(?:\s?[,/|]\s?\d\.\d{1,2}(?:\.\d{1,2})?|\s+(?:and|or|to)\s+\d\.\d{1,2}(?:\.\d{1,2})?){0,5})(?![\w])|\|\s?python\s?\|\s?(\d\.\d{1,2}(?:\.\d{1,2})?)\b/gi;
const ONE_PYTHON = /\d\.\d{1,2}(?:\.(?:\d{1,2}|x))?/g;
const SYSTEMS =
  /\b(?:Ubuntu|Debian|Fedora|CentOS|Red Hat|RHEL|Rocky|Arch Linux|Alpine|openSUSE|Amazon Linux|macOS|Mac OS X|OS ?X|Windows)(?: GNU\/Linux)?(?: ?(?:Server|Pro|LTS))?(?:[ -]v?\d{1,4}(?:\.\d{1,4}){0,3})?(?: LTS)?\b|\bWSL ?2?\b|\bLinux(?:[- ]\d\.\d{1,3}[\w.-]{0,40})?\b/;
const DEVICES =
  /(?<![\w.])(?:(\d{1,3}|one|two|four|eight|single) ?(?:x|×)? )?((?:NVIDIA )?(?:Tesla )?(?:A100|H100|H200|V100|P100|T4|A10G?|A40|A6000|L4|L40S?|K80|GH200|B200)\b(?:[- ]\w{2,6}-\d{2,3}GB)?|(?:NVIDIA )?(?:GeForce )?[RG]TX ?(?:Titan|\d{3,4}) ?(?:Ti|Super)?|TITAN \w{1,4}|MI\d{2,3}X?|Apple M\d)\b|(?<![\w.])(?:(\d{1,3}|one|two|four|eight|single|multi|no) ?(?:x|×)?[ -])?(GPUs?|CUDA|CPUs?(?![ -]?(?:use|usage|cores?|time|memory|load))|TPUs?(?: v\d)?|ROCm|MPS|XPU)\b/gi;
const COUNTS: Readonly<Record<string, number>> = {
  one: 1,
  single: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  sixteen: 16,
};

type Device = Report['devices'][number];

/** Number for a count in digits or words. */
export function countOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  return /^\d+$/.test(word) ? Number(word) : COUNTS[word.toLowerCase()];
}

/** Python versions, one entry for each. */
export function readPythonVersions(text: string, maxItems: number): Report['pythonVersions'] {
  const found: Report['pythonVersions'] = [];
  for (const match of findAll(PYTHON, text, maxItems)) {
    const list = match[1] ?? match[2] ?? '';
    const at = match.index + match[0].lastIndexOf(list);
    for (const version of findAll(ONE_PYTHON, list, 6)) found.push({ span: spanOf(version, at), version: version[0] });
  }
  return uniqueBy(found, (entry) => entry.version).filter((entry) => /^[23]\./.test(entry.version));
}

/** Operating system as written; the most exact mention wins. */
export function readOperatingSystem(text: string): string | null {
  const labelled =
    /^\s{0,8}(?:[-*|] ?)?(?:\*\*)?(?:OS|Operating system|Platform)(?: platform)?(?: and distribution)?(?:\*\*)?\s?[:|]\s?(?:\*\*)?([^\n|]{2,100})/im.exec(
      text,
    );
  const value = labelled?.[1]?.trim();
  if (value !== undefined && value !== '') return value;
  return SYSTEMS.exec(text)?.[0].trim() ?? null;
}

function kindOf(word: string): Device['kind'] {
  if (/^cpu/i.test(word)) return 'cpu';
  if (/^tpu/i.test(word)) return 'tpu';
  if (/^(?:rocm|mi\d)/i.test(word)) return 'rocm';
  if (/^(?:mps|apple)/i.test(word)) return 'mps';
  return /^xpu/i.test(word) ? 'xpu' : 'cuda';
}

/** True when the text around a device says that it is not used. */
function isAbsent(text: string, at: number): boolean {
  return /\b(?:no|without(?: an?y?)?|not (?:on|with) (?:an?y?)?) ?$/i.test(text.slice(Math.max(0, at - 16), at));
}

/** Devices with model and count, where the report names them; one entry for each kind and model. */
export function readDevices(text: string, maxItems: number): Device[] {
  const found: Device[] = [];
  for (const match of findAll(DEVICES, text, maxItems)) {
    const word = match[2] ?? match[4] ?? '';
    const countWord = match[1] ?? match[3];
    if (countWord?.toLowerCase() === 'no' || isAbsent(text, match.index)) continue;
    const device: Device = { span: spanWithin(match, word), kind: kindOf(word) };
    if (match[2] !== undefined) device.model = match[2].trim();
    const count = countOf(countWord);
    if (count !== undefined) device.count = count;
    found.push(device);
  }
  return uniqueBy(found, (device) => `${device.kind} ${device.model ?? ''} ${String(device.count ?? '')}`);
}

const COUNT = String.raw`(\d{1,5}|one|two|three|four|five|six|seven|eight|sixteen)`;
const WORLD: readonly RegExp[] = [
  /--?(?:nproc[-_]per[-_]node|num[-_]processes|nprocs?|world[-_]size|num[-_]gpus|np)[ =](\d{1,5})\b/gi,
  /\bworld[ _-]?size\b(?: ?(?:=|:|is|of|to)){0,1} ?(\d{1,5})\b/gi,
  /\bmpi(?:run|exec) -np? (\d{1,5})\b/gi,
  new RegExp(
    String.raw`\b${COUNT} (?:(?:data|model)[- ]parallel |training |torch |distributed |DDP |gloo |nccl |local )?(?:process(?:es)?|ranks|workers|replicas)\b(?! (?:for|in) (?:the )?(?:data ?)?load)`,
    'gi',
  ),
  new RegExp(String.raw`\b${COUNT}[- ](?:worker|process|rank|gpu|replica)s?\b(?! (?:for|in|of) (?:the |a )?(?:data ?)?load)`, 'gi'),
  /\bnprocs? ?= ?(\d{1,5})\b/gi,
];

/** Number of ranks that the fault is reported for; launch options outweigh prose, and "one" gives way to more. */
export function readWorldSize(text: string): Report['worldSize'] {
  for (const pattern of WORLD) {
    const found = findAll(pattern, text, 50).flatMap((match) => {
      const value = countOf(match[1]);
      const before = text.slice(Math.max(0, match.index - 40), match.index);
      const loader = /\b(?:loader|num_workers|dataloader)\b[^.\n]{0,30}$/i.test(before);
      return value === undefined || value < 1 || loader ? [] : [{ span: spanOf(match), value }];
    });
    const several = found.find((entry) => entry.value > 1);
    if (several !== undefined) return several;
  }
  return null;
}

/** Communication backend, lower case. */
export function readBackend(text: string): string | null {
  return /\b(gloo|nccl|mpi|ucc|hccl|rccl|xccl)\b/i.exec(text)?.[1]?.toLowerCase() ?? null;
}
