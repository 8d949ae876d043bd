import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** On the disk when this returns, completely or not at all. */
export const writeDurably = (file: string, text: string): void => {
  const growing = `${file}.${process.pid}`
  const descriptor = openSync(growing, 'w', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(growing, file)
}
