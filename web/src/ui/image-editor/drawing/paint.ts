import { boundsOf, drawMarks } from './draw.ts'
import { handlesOf, type Mark } from './marks.ts'
import type { Picture } from './picture.ts'

interface Shown {
  selected: Mark | undefined
  /** In pixels of the page. */
  width: number
  height: number
}

const ACCENT = '#5b5bd6'
/** In pixels of the page. */
const HANDLE = 9

/** Paints what the editor shows: the picture, its marks, what the crop cuts off, and what is selected. */
export const paint = (
  canvas: HTMLCanvasElement,
  picture: Picture,
  marks: readonly Mark[],
  { selected, width, height }: Shown,
): void => {
  const density = Math.max(1, window.devicePixelRatio)
  canvas.width = Math.round(width * density)
  canvas.height = Math.round(height * density)
  const context = canvas.getContext('2d')
  if (!context) return
  const scale = canvas.width / picture.width
  context.setTransform(scale, 0, 0, canvas.height / picture.height, 0, 0)
  context.drawImage(picture.bitmap, 0, 0)
  drawMarks(context, marks, picture)
  // Of one pixel of the page.
  const pixel = density / scale
  const crop = marks.find(({ kind }) => kind === 'crop')
  if (crop) {
    context.fillStyle = 'rgb(0 0 0 / 60%)'
    context.beginPath()
    context.rect(0, 0, picture.width, picture.height)
    context.rect(crop.x, crop.y, crop.width, crop.height)
    context.fill('evenodd')
    context.strokeStyle = '#fff'
    context.lineWidth = 2 * pixel
    context.strokeRect(crop.x, crop.y, crop.width, crop.height)
  }
  if (selected) paintSelection(context, selected, picture, pixel)
}

const paintSelection = (context: CanvasRenderingContext2D, selected: Mark, picture: Picture, pixel: number): void => {
  const { x, y, width, height } = boundsOf(context, selected, picture)
  context.lineWidth = 3 * pixel
  context.strokeStyle = '#fff'
  context.strokeRect(x, y, width, height)
  context.lineWidth = 1.5 * pixel
  context.strokeStyle = ACCENT
  context.strokeRect(x, y, width, height)
  const size = HANDLE * pixel
  for (const { at } of handlesOf(selected)) {
    context.fillStyle = '#fff'
    context.fillRect(at.x - size / 2, at.y - size / 2, size, size)
    context.strokeRect(at.x - size / 2, at.y - size / 2, size, size)
  }
}
