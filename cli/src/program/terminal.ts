import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { usageError } from './exit.ts'

/** Longer than any key. */
const MAX_SECRET_LENGTH = 1_000

export const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** A line for people, on standard error, so that standard output has only what was asked for. */
export const note = (text: string): void => {
  process.stderr.write(`sortie: ${text}\n`)
}

export const printJson = (value: unknown): void => print(JSON.stringify(value))

/** Rows in columns; cells lose characters that control a terminal. */
export const printTable = (rows: readonly (readonly string[])[]): void => {
  const clean = rows.map((row) => row.map(withoutControls))
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => (row[column] ?? '').length)))
  for (const row of clean)
    print(
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
}

/** Names and titles come from other people: an escape sequence or a change of direction must not reach the terminal. */
export const withoutControls = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')

/** Every line of standard input, without empty ones. */
export const readLines = async (): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== '') lines.push(line.trim())
  return lines
}

/** The first line of standard input. */
export const readSecret = async (): Promise<string> => {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }))
    return checkedSecret(line)
  throw usageError('Standard input has no key.')
}

/** Asks on the terminal, which does not show what is typed. */
export const askSecret = async (question: string): Promise<string> => {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  // From here on the terminal shows nothing: a key that is pasted right after the question is hidden, too.
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.question('', (line) => resolve(checkedSecret(line)))
      terminal.on('SIGINT', () => reject(usageError('Nothing was entered.')))
      terminal.on('close', () => reject(usageError('Nothing was entered.')))
    })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

const checkedSecret = (line: string): string => {
  const secret = line.trim()
  if (secret === '' || secret.length > MAX_SECRET_LENGTH) throw usageError('This is not a key.')
  return secret
}
