import { hasArea, lineOf, type Mark, numberOf, type Rect, type Size } from './marks.ts'

const RED = '#c92a2a'
const FONT = '"Inter Variable", system-ui, sans-serif'

/**
 * Draws the marks in pixels of the picture. Redactions come first and are opaque; other marks may be on top of them.
 *
 * @param picture size of the whole picture, which decides how wide lines are
 */
export const drawMarks = (context: CanvasRenderingContext2D, marks: readonly Mark[], picture: Size): void => {
  context.save()
  context.fillStyle = '#000'
  for (const { kind, x, y, width, height } of marks) if (kind === 'redaction') context.fillRect(x, y, width, height)
  context.lineJoin = 'round'
  context.lineCap = 'round'
  const line = lineOf(picture)
  for (const mark of marks) DRAWERS[mark.kind]?.(context, mark, line, marks)
  context.restore()
}

type Draw = (context: CanvasRenderingContext2D, mark: Mark, line: number, marks: readonly Mark[]) => void

const drawBox: Draw = (context, { x, y, width, height }, line) =>
  outlined(context, line, () => context.rect(x, y, width, height))

const drawArrow: Draw = (context, { x, y, width, height }, line) => {
  const length = Math.hypot(width, height)
  if (length === 0) return
  const head = Math.min(length, line * 6)
  const [endX, endY] = [x + width, y + height]
  const angle = Math.atan2(height, width)
  const side = (turn: number) =>
    context.lineTo(endX - head * Math.cos(angle + turn), endY - head * Math.sin(angle + turn))
  outlined(context, line * 1.3, () => {
    context.moveTo(x, y)
    context.lineTo(endX, endY)
    side(Math.PI / 7)
    context.moveTo(endX, endY)
    side(-Math.PI / 7)
  })
}

const drawNumber: Draw = (context, mark, line, marks) => {
  const { x, y } = mark
  context.beginPath()
  context.arc(x, y, line * 6, 0, 2 * Math.PI)
  context.fillStyle = RED
  context.fill()
  context.lineWidth = line * 0.8
  context.strokeStyle = '#fff'
  context.stroke()
  context.fillStyle = '#fff'
  context.font = `600 ${line * 7}px ${FONT}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(String(numberOf(mark, marks)), x, y)
}

const drawText: Draw = (context, mark, line) => {
  if (mark.text.trim() === '') return
  const { x, y, width, height } = textBox(context, mark, line)
  context.beginPath()
  context.roundRect(x, y, width, height, line)
  context.fillStyle = '#fff'
  context.fill()
  context.lineWidth = Math.max(1, line * 0.5)
  context.strokeStyle = RED
  context.stroke()
  context.fillStyle = RED
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.fillText(mark.text, x + line * 2, y + height / 2)
}

const DRAWERS: Partial<Record<Mark['kind'], Draw>> = {
  box: drawBox,
  arrow: drawArrow,
  number: drawNumber,
  text: drawText,
}

/** A red line with a white one around it: seen on every background. */
const outlined = (context: CanvasRenderingContext2D, line: number, path: () => void): void => {
  for (const [color, width] of [
    ['#fff', line * 2],
    [RED, line],
  ] as const) {
    context.beginPath()
    path()
    context.strokeStyle = color
    context.lineWidth = width
    context.stroke()
  }
}

/** The plate of a text, which begins at its place; sets the font. */
const textBox = (context: CanvasRenderingContext2D, { x, y, text }: Mark, line: number): Rect => {
  context.font = `600 ${line * 7}px ${FONT}`
  return { x, y, width: context.measureText(text === '' ? ' ' : text).width + line * 4, height: line * 11 }
}

/** What a pointer hits, and what a selection encloses. */
export const boundsOf = (context: CanvasRenderingContext2D, mark: Mark, picture: Size): Rect => {
  const line = lineOf(picture)
  if (hasArea(mark)) return mark
  if (mark.kind === 'text') {
    context.save()
    const box = textBox(context, mark, line)
    context.restore()
    return box
  }
  if (mark.kind === 'number') {
    const radius = line * 6.4
    return { x: mark.x - radius, y: mark.y - radius, width: radius * 2, height: radius * 2 }
  }
  const [x, y] = [Math.min(mark.x, mark.x + mark.width), Math.min(mark.y, mark.y + mark.height)]
  const around = line * 3
  return {
    x: x - around,
    y: y - around,
    width: Math.abs(mark.width) + around * 2,
    height: Math.abs(mark.height) + around * 2,
  }
}
