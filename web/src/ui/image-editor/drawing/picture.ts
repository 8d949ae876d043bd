import { drawMarks } from './draw.ts'
import type { Mark, Size } from './marks.ts'

export interface Picture extends Size {
  bitmap: ImageBitmap
  mediaType: string
}

export interface EditedPicture {
  blob: Blob
  /** Shown wherever the original is, which is sealed then; otherwise added next to it. */
  replaces: boolean
}

/** As many as reports show of one picture. */
const MAX_PIXELS = 64_000_000

/** What is wrong with a picture, in words for people. */
export class PictureError extends Error {}

/**
 * Reads a picture, upright. @throws PictureError for one that is damaged, or too large for reports or for this browser
 */
export const loadPicture = async (address: string, mediaType: string, signal: AbortSignal): Promise<Picture> => {
  const response = await fetch(address, { signal })
  if (!response.ok) throw new PictureError('The picture cannot be read. Close the editor and try again.')
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(await response.blob())
  } catch {
    throw new PictureError('This browser cannot read the picture: it may be damaged, or too large.')
  }
  const { width, height } = bitmap
  const size = `${width} × ${height} pixels`
  if (width * height > MAX_PIXELS)
    throw new PictureError(
      `The picture has ${size}, more than the 64 million that can be edited. Make it smaller with another program, and upload it again.`,
    )
  if (!canDraw({ width, height }))
    throw new PictureError(
      `The picture has ${size}, more than this browser can edit. Use a browser on a computer, or make the picture smaller first.`,
    )
  return { bitmap, width, height, mediaType }
}

/** Browsers limit canvases differently, and draw nothing beyond that, without an error. */
const canDraw = ({ width, height }: Size): boolean => {
  const context = canvasOf({ width, height }).getContext('2d')
  if (!context) return false
  context.fillRect(width - 1, height - 1, 1, 1)
  const isDrawn = context.getImageData(width - 1, height - 1, 1, 1).data[3] === 255
  // Frees its memory at once.
  context.canvas.width = 0
  return isDrawn
}

const canvasOf = ({ width, height }: Size): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}

const JPEG_QUALITY = 0.92

/**
 * The picture with its marks at full size, on a canvas of its own: nothing of the original file is in it except the
 * pixels that remain visible.
 *
 * @throws PictureError if the browser cannot make it
 */
export const exportPicture = async (picture: Picture, marks: readonly Mark[]): Promise<Blob> => {
  const crop = marks.find(({ kind }) => kind === 'crop') ?? { x: 0, y: 0, ...sizeOf(picture) }
  const canvas = canvasOf(crop)
  const context = canvas.getContext('2d', { alpha: picture.mediaType !== 'image/jpeg' })
  if (!context) throw new PictureError(NOT_MADE)
  context.translate(-crop.x, -crop.y)
  context.drawImage(picture.bitmap, 0, 0)
  drawMarks(context, marks, picture)
  const type = exportType(picture)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY))
  canvas.width = 0
  if (blob?.type !== type) throw new PictureError(NOT_MADE)
  return blob
}

const NOT_MADE = 'This browser could not make the edited picture. Try a smaller one, or another browser.'

const sizeOf = ({ width, height }: Size): Size => ({ width, height })

/** A JPEG has no transparency and stays one; everything else becomes a PNG. */
const exportType = ({ mediaType }: Picture): string => (mediaType === 'image/jpeg' ? mediaType : 'image/png')

/** The name of the edited file, with the ending of its type. */
export const exportName = (fileName: string, blob: Blob): string => {
  const dot = fileName.lastIndexOf('.')
  const [name, ending] = dot > 0 ? [fileName.slice(0, dot), fileName.slice(dot + 1).toLowerCase()] : [fileName, '']
  const endings = blob.type === 'image/jpeg' ? ['jpg', 'jpeg'] : ['png']
  return endings.includes(ending) ? fileName : `${name}.${endings[0]}`
}
