import { SaxesParser } from 'saxes'

/** The texts of the children of each element of this name, by the children's names. */
export const recordsIn = (xml: string, element: string): Record<string, string>[] => {
  const records: Record<string, string>[] = []
  let record: Record<string, string> | undefined
  let depth = 0
  let text = ''
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    if (record) depth++
    else if (name === element) record = {}
    text = ''
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('closetag', ({ name }) => {
    if (!record) return
    if (depth === 0) {
      records.push(record)
      record = undefined
    } else if (depth-- === 1) record[name] = text
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return records
}

/** The error that an answer holds; without a code if it holds none, or is not of S3. */
export const errorIn = (xml: string): { code: string; message: string } => {
  if (!xml.includes('<Error')) return { code: '', message: '' }
  try {
    const [found] = recordsIn(xml, 'Error')
    return { code: found?.['Code'] ?? '', message: found?.['Message'] ?? '' }
  } catch {
    return { code: '', message: '' }
  }
}
