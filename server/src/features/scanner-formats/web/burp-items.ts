import { canonicalAddress } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { requireUrl, type Sighting } from '../../inventory/sightings/sightings.ts'
import { httpResponseSighting } from '../../inventory/sightings/web-sightings.ts'
import { headersOf } from '../fields/headers.ts'
import { itemsOf } from '../readers/records.ts'
import { childOf, type Element, readXml, textOf } from '../readers/xml.ts'
import type { Format, Item } from '../registry/format.ts'

/** Saved items of Burp (Proxy, Repeater, site map: "Save items"): requests with their responses. */
export const burpItems: Format = {
  id: 'burp-items',
  name: 'Burp Suite saved items XML',
  recognisedBy: 'XML whose root is items, with burpVersion or a request in it',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/<time>([^<]{1,40})</g] }),
  isIn: (head) =>
    head.shape === 'xml' &&
    head.root === 'items' &&
    (head.attributes['burpVersion'] !== undefined || head.text.includes('<request')),
  read: readItems,
}

async function* readItems(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const event of readXml(text, (path) => path === 'items/item')) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'open')
      yield* event.path === 'items'
        ? [{ type: 'tool', name: 'burp', version: event.element.attributes['burpVersion'] } as const]
        : []
    else yield* itemsOf(`line ${event.element.line}`, event.element, itemSightings)
  }
}

function* itemSightings(item: Element): Generator<Sighting> {
  const url = requireUrl(textOf(item, 'url'))
  const response = messageIn(item, 'response')
  const headers = headersIn(response?.split(/\r?\n\r?\n/, 1)[0] ?? '')
  yield httpResponseSighting({
    method: textOf(item, 'method'),
    url: url.href,
    address: canonicalAddress(childOf(item, 'host')?.attributes['ip'] ?? ''),
    status: cleanNumber(textOf(item, 'status')),
    length: cleanNumber(textOf(item, 'responselength')),
    contentType: headers?.['content-type'],
    server: headers?.['server'],
    location: headers?.['location'],
    headers,
    request: messageIn(item, 'request'),
    response,
    comment: textOf(item, 'comment'),
  })
}

/** The headers below the first line. */
const headersIn = (head: string): Record<string, string> | undefined =>
  headersOf(
    head
      .split(/\r?\n/)
      .slice(1)
      .flatMap((line) => {
        const colon = line.indexOf(':')
        return colon <= 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1)] as const]
      }),
  )

/** Messages may not be UTF-8: invalid bytes become U+FFFD. */
export const messageIn = (element: Element, name: string): string | undefined => {
  const message = childOf(element, name)
  if (!message) return undefined
  return message.attributes['base64'] === 'true' ? Buffer.from(message.text, 'base64').toString('utf8') : message.text
}
