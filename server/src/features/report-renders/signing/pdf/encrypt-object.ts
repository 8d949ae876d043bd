const code = (letter: string): number => letter.charCodeAt(0)
const OPEN = code('(')
const CLOSE = code(')')
const LESS = code('<')
const GREATER = code('>')
const SLASH = code('/')
const BACKSLASH = code('\\')
const CR = code('\r')
const LF = code('\n')
const STREAM = Buffer.from('stream')
const LENGTH = '/Length'
/** After a backslash in a string. */
const ESCAPES = new Map([
  [code('n'), LF],
  [code('r'), CR],
  [code('t'), 9],
  [code('b'), 8],
  [code('f'), 12],
])

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39
const isOctal = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x37
/** Ends a name: white space or a delimiter. */
const endsName = (byte: number | undefined): boolean =>
  byte === undefined || byte <= 0x20 || '()<>[]{}/%'.includes(String.fromCharCode(byte))

/** Reads the string that starts at `from`, in brackets. @returns its bytes, and where it ends */
const readString = (object: Buffer, from: number): { plain: Buffer; end: number } => {
  const plain: number[] = []
  let depth = 1
  let at = from + 1
  for (; at < object.length; at++) {
    const byte = object[at] as number
    if (byte === BACKSLASH) {
      const next = object[at + 1] as number
      if (isOctal(next)) {
        let digits = ''
        while (digits.length < 3 && isOctal(object[at + 1])) digits += String.fromCharCode(object[++at] as number)
        plain.push(Number.parseInt(digits, 8) & 0xff)
      } else if (next === LF || next === CR) {
        at += next === CR && object[at + 2] === LF ? 2 : 1
      } else {
        plain.push(ESCAPES.get(next) ?? next)
        at++
      }
      continue
    }
    if (byte === CR) {
      plain.push(LF)
      if (object[at + 1] === LF) at++
      continue
    }
    if (byte === OPEN) depth++
    if (byte === CLOSE && --depth === 0) return { plain: Buffer.from(plain), end: at + 1 }
    plain.push(byte)
  }
  throw new Error('a string of a PDF file does not end')
}

const readHex = (object: Buffer, from: number): { plain: Buffer; end: number } => {
  const end = object.indexOf(GREATER, from)
  const digits = object
    .toString('latin1', from + 1, end)
    .split(/\s/)
    .join('')
  return { plain: Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex'), end: end + 1 }
}

/** Encrypts the strings and the stream of an object. */
export const encryptObject = (object: Buffer, encrypt: (plain: Buffer) => Buffer): Buffer => {
  const parts: Buffer[] = []
  /** Where the digits of the stream's length go. */
  let lengthPart = -1
  let length = 0
  let kept = 0
  let depth = 0
  const keepUntil = (at: number) => parts.push(object.subarray(kept, at))
  for (let at = object.indexOf('obj') + 3; at < object.length;) {
    const byte = object[at]
    if (byte === OPEN || (byte === LESS && object[at + 1] !== LESS)) {
      const { plain, end } = byte === OPEN ? readString(object, at) : readHex(object, at)
      keepUntil(at)
      parts.push(Buffer.from(`<${encrypt(plain).toString('hex')}>`, 'latin1'))
      at = kept = end
    } else if (byte === LESS || byte === GREATER) {
      depth += byte === LESS ? 1 : -1
      at += 2
    } else if (byte === SLASH) {
      const from = at++
      while (!endsName(object[at])) at++
      if (depth !== 1 || object.toString('latin1', from, at) !== LENGTH) continue
      while (!isDigit(object[at])) at++
      keepUntil(at)
      const digits = at
      while (isDigit(object[at])) at++
      length = Number(object.toString('latin1', digits, at))
      lengthPart = parts.push(object.subarray(digits, at)) - 1
      kept = at
    } else if (depth === 0 && lengthPart >= 0 && object.subarray(at, at + STREAM.length).equals(STREAM)) {
      const start = at + STREAM.length + (object[at + STREAM.length] === CR ? 2 : 1)
      const encrypted = encrypt(object.subarray(start, start + length))
      parts[lengthPart] = Buffer.from(String(encrypted.length))
      keepUntil(start)
      parts.push(encrypted)
      kept = start + length
      break
    } else at++
  }
  parts.push(object.subarray(kept))
  return Buffer.concat(parts)
}
