import { type PdfObjects, referenceIn } from './objects.ts'

/** Bytes for the signature with its chain of certificates. */
export const SIGNATURE_BYTES = 16_384

const objectOf = (number: number, body: string): Buffer => Buffer.from(`${number} 0 obj\n${body}\nendobj\n\n`, 'latin1')

/** Puts entries at the beginning of the dictionary of an object. */
const withEntries = (object: Buffer, entries: string): Buffer => {
  const at = object.indexOf('<<') + 2
  return Buffer.concat([object.subarray(0, at), Buffer.from(`\n  ${entries}`, 'latin1'), object.subarray(at)])
}

/** Adds a reference to the annotations of a page. */
const withAnnotation = (objects: Map<number, Buffer>, page: number, annotation: number): void => {
  const object = objects.get(page) as Buffer
  const text = object.toString('latin1')
  const at = text.indexOf('/Annots ')
  if (at < 0) {
    objects.set(page, withEntries(object, `/Annots [${annotation} 0 R]`))
    return
  }
  const isDirect = text
    .slice(at + '/Annots '.length)
    .trimStart()
    .startsWith('[')
  const holder = isDirect ? page : referenceIn(text, 'Annots')
  const list = objects.get(holder) as Buffer
  const opened = list.indexOf('[', isDirect ? at : 0) + 1
  objects.set(
    holder,
    Buffer.concat([list.subarray(0, opened), Buffer.from(`${annotation} 0 R `), list.subarray(opened)]),
  )
}

interface SignatureFacts {
  /** Who signs, as the reader shows it. */
  name: string
  /** Milliseconds. */
  at: number
}

/**
 * Adds a signature that is still empty, in a field without a place on the first page.
 *
 * @returns the number of its object, which encryption leaves as it is
 */
export const addSignature = (
  file: PdfObjects,
  { name, at }: SignatureFacts,
  text: (plain: Buffer) => string,
): number => {
  const { objects, trailer } = file
  const signature = Math.max(...objects.keys()) + 1
  const field = signature + 1
  const catalog = referenceIn(trailer, 'Root')
  const pages = objects.get(referenceIn((objects.get(catalog) as Buffer).toString('latin1'), 'Pages')) as Buffer
  const page = referenceIn(pages.toString('latin1'), 'Kids')
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')
  objects.set(
    signature,
    objectOf(
      signature,
      [
        '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached',
        '/ByteRange [0 /********** /********** /**********]',
        `/Contents <${'0'.repeat(2 * SIGNATURE_BYTES)}>`,
        `/Name ${text(utf16(name))} /M ${text(Buffer.from(`D:${time}Z`, 'latin1'))} >>`,
      ].join('\n'),
    ),
  )
  objects.set(
    field,
    objectOf(
      field,
      `<< /Type /Annot /Subtype /Widget /FT /Sig /T ${text(Buffer.from('Signature'))} /F 132 /Rect [0 0 0 0] /V ${signature} 0 R /P ${page} 0 R >>`,
    ),
  )
  objects.set(
    catalog,
    withEntries(objects.get(catalog) as Buffer, `/AcroForm << /Fields [${field} 0 R] /SigFlags 3 >>`),
  )
  withAnnotation(objects, page, field)
  return signature
}

const utf16 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])
