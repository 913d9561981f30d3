import path from 'node:path';
import { AppError } from '@reenact/domain';
import { readModelText, readRecord, recordOf } from './model-json.js';
import { createWordPiece } from './word-piece.js';
import type { WordPiece } from './word-piece.js';

/** A BERT tokeniser with the ids that frame its inputs. */
export interface BertTokenizer extends WordPiece {
  classId: number;
  separatorId: number;
}

interface Vocabulary {
  pieces: Map<string, number>;
  lowercase: boolean;
  stripAccents: boolean;
}

/**
 * Reads `tokenizer.json`, or `vocab.txt` with `tokenizer_config.json`, and tells which files decide about the tokens.
 * @throws AppError `config-invalid` where there is none, or it is no BERT WordPiece tokeniser.
 */
export async function readTokenizer(directory: string): Promise<{ tokenizer: BertTokenizer; files: string[] }> {
  const json = path.join(directory, 'tokenizer.json');
  const list = path.join(directory, 'vocab.txt');
  const settings = path.join(directory, 'tokenizer_config.json');
  const record = await readRecord(json);
  if (record !== null) return { tokenizer: createTokenizer(vocabularyOf(record, json), json), files: [json] };
  const pieces = await readModelText(list);
  if (pieces === null) {
    throw new AppError('config-invalid', `The model directory ${directory} has neither tokenizer.json nor vocab.txt.`, {
      hint: "Copy the tokeniser's files beside the model; docs/models.md lists what a directory holds.",
    });
  }
  const config = await readRecord(settings);
  const lowercase = config?.['do_lower_case'] !== false;
  const vocabulary = { pieces: listedPieces(pieces), lowercase, stripAccents: booleanOr(config?.['strip_accents'], lowercase) };
  return { tokenizer: createTokenizer(vocabulary, list), files: config === null ? [list] : [list, settings] };
}

function vocabularyOf(record: Record<string, unknown>, file: string): Vocabulary {
  const model = recordOf(record['model']);
  const normalizer = recordOf(record['normalizer']);
  const isWordPiece = model['type'] === 'WordPiece' && recordOf(record['pre_tokenizer'])['type'] === 'BertPreTokenizer';
  const isPlain = normalizer['clean_text'] === true && normalizer['handle_chinese_chars'] === true;
  if (!isWordPiece || normalizer['type'] !== 'BertNormalizer' || !isPlain || (model['continuing_subword_prefix'] ?? '##') !== '##') {
    throw new AppError('config-invalid', `${file} is not a BERT WordPiece tokeniser.`, {
      hint: 'Models with the tokeniser of BERT can be loaded (MiniLM, English BGE, E5, GTE); use an endpoint for others.',
    });
  }
  const lowercase = normalizer['lowercase'] === true;
  const pieces = Object.entries(recordOf(model['vocab'])).filter((entry): entry is [string, number] => Number.isInteger(entry[1]));
  return { pieces: new Map(pieces), lowercase, stripAccents: booleanOr(normalizer['strip_accents'], lowercase) };
}

function listedPieces(text: string): Map<string, number> {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return new Map(lines.map((piece, id) => [piece, id]));
}

function createTokenizer({ pieces, lowercase, stripAccents }: Vocabulary, file: string): BertTokenizer {
  const idOf = (piece: string): number => {
    const id = pieces.get(piece);
    if (id !== undefined) return id;
    throw new AppError('config-invalid', `${file} has no piece ${piece}.`, { hint: 'Only BERT vocabularies can be loaded.' });
  };
  const wordPiece = createWordPiece({ vocabulary: pieces, lowercase, stripAccents, unknownId: idOf('[UNK]') });
  return { ...wordPiece, classId: idOf('[CLS]'), separatorId: idOf('[SEP]') };
}

function booleanOr(value: unknown, fallback: boolean): boolean {
  return typeof value === 'boolean' ? value : fallback;
}
