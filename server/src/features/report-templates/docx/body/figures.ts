import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import { mediaTypeOf } from '../../../../platform/files/media-type.ts'
import { escapeXml } from '../package/xml.ts'
import type { Body, Spot } from './body.ts'
import { caption } from './captions.ts'
import { paragraph } from './paragraphs.ts'
import { isShownByWord } from './relations.ts'
import { run } from './runs.ts'

/** English Metric Units of a pixel at 96 dpi, and of a twentieth of a point. */
const EMU_PER_PIXEL = 9_525
const EMU_PER_TWIP = 635
/** Leaves space for a caption and a heading on the same page. */
const LARGEST_SHARE_OF_HEIGHT = 0.75

export const figure = (body: Body, block: BlockValue, spot: Spot): string => {
  const alt = block.alt ?? ''
  const drawn = block.image ? picture(body, block.image, alt, spot.width) : undefined
  const shown = drawn ?? run(`[${alt === '' ? body.label('figure') : alt}: ${body.label('missingFile')}]`)
  const below = caption(body, block, 'figure', false)
  return paragraph(shown, { keepNext: below !== '', align: 'center' }) + below
}

/**
 * A picture as a run, no wider than its place.
 *
 * @param width in twentieths of a point
 * @returns undefined if the report has no such image, or Word does not show its kind
 */
export const picture = (
  body: Body,
  key: string,
  alt: string,
  width: number,
  height = body.area.height * LARGEST_SHARE_OF_HEIGHT,
): string | undefined => {
  const image = body.document.data.images[key]
  const bytes = body.document.images.get(key)
  if (!image || !bytes || mediaTypeOf(Buffer.from(bytes.subarray(0, 64))) !== image.mediaType) return undefined
  if (!isShownByWord(image.mediaType)) {
    const kind = image.mediaType.slice('image/'.length)
    const message = `Word shows no pictures of the kind ${kind}: upload it as PNG or JPEG.`
    if (!body.problems.some((each) => each.where === key)) body.problems.push({ level: 'warning', message, where: key })
    return undefined
  }
  const scale = Math.min(
    1,
    (width * EMU_PER_TWIP) / (image.width * EMU_PER_PIXEL),
    (height * EMU_PER_TWIP) / (image.height * EMU_PER_PIXEL),
  )
  const [cx, cy] = [image.width, image.height].map((pixels) => Math.max(1, Math.round(pixels * EMU_PER_PIXEL * scale)))
  const relation = body.pictures.add(body.part, key, image.mediaType, bytes)
  const id = body.ids.next()
  const words = escapeXml(alt)
  return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="${id}" name="Picture ${id}" descr="${words}"/><wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"/></wp:cNvGraphicFramePr><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="${id}" name="Picture ${id}" descr="${words}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${relation}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
}
