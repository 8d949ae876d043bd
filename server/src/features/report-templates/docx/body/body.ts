import type { ReportDocument, WriterProblem } from '../../report-document.ts'
import type { Ids } from './anchors.ts'
import type { Numbering } from './numbering.ts'
import type { Links, Pictures } from './relations.ts'
import type { Styles } from './styles.ts'

/** The space for text on a page, in twentieths of a point. */
export interface TextArea {
  width: number
  height: number
}

/** What blocks need to become paragraphs of one document. */
export interface Body {
  document: ReportDocument
  styles: Styles
  numbering: Numbering
  links: Links
  pictures: Pictures
  ids: Ids
  area: TextArea
  /** The part that is written: relations belong to a part. */
  part: string
  problems: WriterProblem[]
  /** The words of the report, with English ones for keys that it lacks. */
  label(key: string): string
}

/** Where blocks are inserted. */
export interface Spot {
  /** Of the heading above: headings of the blocks are below it. */
  level: number
  /** Style of the paragraph that the blocks replace; plain paragraphs keep it. */
  style?: string | undefined
  /** Space for a table or picture, in twentieths of a point. */
  width: number
  /** Within a list. */
  depth: number
  /** Fills cells whose text is the name of a severity. */
  colorsSeverities: boolean
}
