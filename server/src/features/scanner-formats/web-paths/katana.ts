import { canonicalHost, canonicalUrl } from '../../inventory/sightings/canonical.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { originOf, technologySighting } from '../../inventory/sightings/web-sightings.ts'
import { ROW_TIMES } from '../fields/stated-times.ts'
import { type Fields, itemsOf, listOf, objectOf, recordItems, textIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'
import { pathSighting } from './paths.ts'

/** JSON rows of katana. */
export const katana: Format = {
  id: 'katana',
  name: 'katana JSON lines',
  recognisedBy: 'rows with request.endpoint',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [ROW_TIMES] }),
  isIn: (head) => head.shape === 'json' && head.keys.has('request.endpoint'),
  read: (text) => recordItems(text, rowItems, FIELDS),
}

const FIELDS = new Set(['timestamp', 'request', 'response', 'error', 'passive', 'passive_reference'])

function* rowItems(row: Fields): Generator<Sighting | Item> {
  const [request, response] = [objectOf(row['request']), objectOf(row['response'])]
  yield pathSighting({
    url: request['endpoint'],
    method: request['method'],
    status: response['status_code'],
    length: response['content_length'],
    contentType: objectOf(response['headers'])['content-type'] ?? objectOf(response['headers'])['content_type'],
    location: objectOf(response['headers'])['location'],
    source: request['source'],
  })
  const url = canonicalUrl(textIn(request['endpoint']) ?? '')
  if (!url) return
  for (const name of listOf(response['technologies'])) {
    yield* itemsOf('', row, () => [
      technologySighting({
        asset: originOf(url),
        host: canonicalHost(url.hostname) as string,
        port: portOf(url),
        name,
      }),
    ])
  }
}

const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port))
