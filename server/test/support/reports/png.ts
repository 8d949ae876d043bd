import { crc32, deflateSync } from 'node:zlib'

type Paint = (x: number, y: number) => readonly [number, number, number]

/** A PNG file of these pixels. */
export const png = (width: number, height: number, paint: Paint): Uint8Array => {
  const raw = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) raw.set(paint(x, y), y * (width * 3 + 1) + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(raw, { level: 1 })), chunk('IEND')])
}

const chunk = (name: string, data: Buffer = Buffer.alloc(0)): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const [DARK, LIGHT, LINE, ACCENT] = [
  [32, 38, 48],
  [250, 250, 252],
  [206, 212, 221],
  [214, 69, 65],
] as const

/** What a screenshot of a web page may look like, without text. */
export const screenshot = (width = 1200, height = 700): Uint8Array =>
  png(width, height, (x, y) => {
    if (y < 54) return DARK
    if (x < 210) return y % 44 > 22 && y % 44 < 30 && x > 24 && x < 150 ? LINE : LIGHT
    if (x > 240 && x < width - 40 && y > 90 && y < 190) return y < 94 || y > 186 || x < 244 ? ACCENT : LIGHT
    return y > 220 && y % 40 < 12 && x > 240 && x < 240 + ((y * 37) % (width - 320)) ? LINE : LIGHT
  })

/** A logo: a square and a bar. */
export const logo = (): Uint8Array =>
  png(360, 96, (x, y) => {
    if (x < 96) return (x - 48) ** 2 + (y - 48) ** 2 < 46 ** 2 ? [31, 79, 216] : [255, 255, 255]
    return x > 120 && ((y > 22 && y < 48) || (y > 60 && y < 74 && x < 280)) ? [22, 26, 34] : [255, 255, 255]
  })
