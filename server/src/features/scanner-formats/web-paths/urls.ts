import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { textLines } from '../readers/lines.ts'
import { itemsOf } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'
import { pathSighting } from './paths.ts'

const URL_LINE = /^https?:\/\/\S{1,4096}$/i

/** Lists of addresses, one in each line, as katana, gau, waybackurls, hakrawler and gospider write them. */
export const urls: Format = {
  id: 'urls',
  name: 'Lists of URLs (katana, gau, waybackurls, hakrawler)',
  recognisedBy: 'lines that are an http or https URL and nothing else',
  knowsCoverage: false,
  statedTimes: () => ({}),
  isIn: (head) => head.shape === 'text' && URL_LINE.test(head.line),
  read: readUrls,
}

async function* readUrls(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text))
    if (!line.startsWith('#')) yield* itemsOf(`line ${number}`, line, lineSightings)
}

function* lineSightings(line: string): Generator<Sighting> {
  yield pathSighting({ url: line })
}
