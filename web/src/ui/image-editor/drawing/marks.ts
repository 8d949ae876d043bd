export type MarkKind = 'redaction' | 'box' | 'arrow' | 'number' | 'text' | 'crop'

/** In pixels of the picture. */
export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

export interface Rect extends Point, Size {}

/**
 * What is drawn on the picture, or, as `crop`, what is kept of it. An arrow points from `x`, `y` by its width and
 * height, which can be negative; numbers and texts have none.
 */
export interface Mark extends Rect {
  id: number
  kind: MarkKind
  text: string
}

export const KIND_NAMES: Readonly<Record<MarkKind, string>> = {
  redaction: 'Redaction',
  box: 'Box',
  arrow: 'Arrow',
  number: 'Number',
  text: 'Text',
  crop: 'Crop',
}

export const hasArea = ({ kind }: Pick<Mark, 'kind'>): boolean =>
  kind === 'redaction' || kind === 'box' || kind === 'crop'

const isSized = (mark: Pick<Mark, 'kind'>): boolean => hasArea(mark) || mark.kind === 'arrow'

/** Width of a line, by the size of the picture: as wide as 3 pixels in a screenshot of 1280 by 800. */
export const lineOf = ({ width, height }: Size): number => Math.max(2, Math.round(Math.sqrt(width * height) / 340))

const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))

const withinPicture = ({ x, y }: Point, { width, height }: Size): Point => ({
  x: between(Math.round(x), 0, width),
  y: between(Math.round(y), 0, height),
})

/** A mark from one point to another, within the picture. */
export const spanned = <M extends Mark>(mark: M, from: Point, to: Point, picture: Size): M => {
  const [start, end] = [withinPicture(from, picture), withinPicture(to, picture)]
  if (mark.kind === 'arrow') return { ...mark, ...start, width: end.x - start.x, height: end.y - start.y }
  const [x, y] = [Math.min(start.x, end.x), Math.min(start.y, end.y)]
  return { ...mark, x, y, width: Math.abs(end.x - start.x), height: Math.abs(end.y - start.y) }
}

export const moved = (mark: Mark, by: Point, { width, height }: Size): Mark => {
  const [left, top] = [Math.min(0, mark.width), Math.min(0, mark.height)]
  const x = between(mark.x + by.x, -left, width - Math.max(0, mark.width))
  const y = between(mark.y + by.y, -top, height - Math.max(0, mark.height))
  return { ...mark, x: Math.round(x), y: Math.round(y) }
}

/** Moves the end of an arrow, or the lower right corner of an area. */
export const resized = (mark: Mark, by: Point, picture: Size): Mark => {
  if (!isSized(mark)) return mark
  const least = mark.kind === 'arrow' ? Number.NEGATIVE_INFINITY : 1
  const end = {
    x: mark.x + Math.max(least, mark.width + by.x),
    y: mark.y + Math.max(least, mark.height + by.y),
  }
  return spanned(mark, mark, end, picture)
}

/** What the pointer drags: each handle with the point that stays. */
export const handlesOf = (mark: Mark): { at: Point; anchor: Point; isStart: boolean }[] => {
  if (!isSized(mark)) return []
  const [left, top, right, bottom] = [mark.x, mark.y, mark.x + mark.width, mark.y + mark.height]
  const ends = [
    { at: { x: left, y: top }, anchor: { x: right, y: bottom }, isStart: true },
    { at: { x: right, y: bottom }, anchor: { x: left, y: top }, isStart: false },
  ]
  if (mark.kind === 'arrow') return ends
  return [
    ...ends,
    { at: { x: right, y: top }, anchor: { x: left, y: bottom }, isStart: false },
    { at: { x: left, y: bottom }, anchor: { x: right, y: top }, isStart: false },
  ]
}

/** A new mark in the middle of what is seen, for the keyboard. */
export const inTheMiddle = (mark: Mark, seen: Rect, picture: Size): Mark => {
  const middle = { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 }
  if (!isSized(mark)) return { ...mark, ...withinPicture(middle, picture) }
  const [width, height] =
    mark.kind === 'crop' ? [seen.width * 0.8, seen.height * 0.8] : [seen.width / 4, seen.height / 8]
  const from = { x: middle.x - width / 2, y: middle.y - height / 2 }
  return spanned(mark, from, { x: from.x + width, y: from.y + height }, picture)
}

/** The number that a numbered mark shows: they count in the order in which they were made. */
export const numberOf = (mark: Mark, marks: readonly Mark[]): number =>
  marks.filter(({ kind }) => kind === 'number').indexOf(mark) + 1

/** A mark in words. */
export const describe = (mark: Mark, marks: readonly Mark[]): string => {
  const { kind, x, y, width, height, text } = mark
  const name = KIND_NAMES[kind]
  if (kind === 'number') return `${name} ${numberOf(mark, marks)} at ${x}, ${y}`
  if (kind === 'text') return `${name} “${text}” at ${x}, ${y}`
  if (kind === 'arrow') return `${name} from ${x}, ${y} to ${x + width}, ${y + height}`
  return `${name}, ${width} × ${height} at ${x}, ${y}`
}

/** True if the saved picture lacks something that the original shows. */
export const hidesSomething = (marks: readonly Mark[]): boolean =>
  marks.some(({ kind }) => kind === 'redaction' || kind === 'crop')
