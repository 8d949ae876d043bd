import { canonicalHost, canonicalUrl } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { requireUrl, type Sighting } from '../../inventory/sightings/sightings.ts'
import { httpResponseSighting, originOf, technologySighting } from '../../inventory/sightings/web-sightings.ts'
import { headersOf } from '../fields/headers.ts'
import { probeIn } from '../fields/probes.ts'
import { type Fields, itemsOf, listOf, objectOf, recordItems, textIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'

/** JSON rows of gowitness 3. The pictures stay in its directory: their file names are kept. */
export const gowitness: Format = {
  id: 'gowitness',
  name: 'gowitness JSON lines',
  recognisedBy: 'rows with url, final_url, response_code and probed_at',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"probed_at"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g] }),
  isIn: (head) =>
    head.shape === 'json' && ['url', 'final_url', 'response_code', 'probed_at'].every((key) => head.keys.has(key)),
  read: (text) => recordItems(text, rowItems, FIELDS),
}

/** Every field of a result of version 3. */
const FIELDS = new Set(
  `id url probed_at final_url response_code response_reason protocol content_length html title perception_hash perception_hash_group_id screenshot
  file_name is_pdf failed failed_reason tls technologies headers network console cookies`.split(/\s+/),
)

function* rowItems(row: Fields): Generator<Sighting | Item> {
  const asked = requireUrl(row['url'])
  const host = canonicalHost(asked.hostname) as string
  if (row['failed'] === true) {
    yield* probeIn({ ...row, timestamp: row['probed_at'] }, { host, address: undefined, port: portOf(asked) })
    return
  }
  const last = canonicalUrl(textIn(row['final_url']) ?? '') ?? asked
  if (last.href !== asked.href) yield httpResponseSighting({ url: asked.href, finalUrl: last.href })
  const headers = headersOf(
    listOf(row['headers'])
      .map(objectOf)
      .map(({ key, value }) => [textIn(key)?.toLowerCase(), value] as const),
  )
  yield httpResponseSighting({
    url: last.href,
    status: cleanNumber(row['response_code']),
    title: row['title'],
    length: cleanNumber(row['content_length']),
    contentType: headers?.['content-type'],
    headers,
    server: headers?.['server'],
    screenshot: row['file_name'],
  })
  const lastHost = canonicalHost(last.hostname) as string
  for (const technology of listOf(row['technologies']).map(objectOf)) {
    yield* itemsOf('', row, () => [
      technologySighting({ asset: originOf(last), host: lastHost, port: portOf(last), name: technology['value'] }),
    ])
  }
  for (const name of listOf(objectOf(row['tls'])['san_list']).map(objectOf)) {
    const mentioned = canonicalHost(textIn(name['value']) ?? '')
    if (mentioned !== undefined) yield { type: 'mention', host: mentioned }
  }
}

const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port))
