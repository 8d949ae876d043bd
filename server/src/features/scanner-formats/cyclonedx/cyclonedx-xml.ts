import type { Fields } from '../readers/records.ts'
import { childOf, childrenOf, type Element, textOf } from '../readers/xml.ts'

/** Converts a component to the fields of the JSON form. */
export const componentFields = (element: Element): Fields => ({
  'bom-ref': element.attributes['bom-ref'],
  type: element.attributes['type'],
  group: textOf(element, 'group'),
  name: textOf(element, 'name'),
  version: textOf(element, 'version'),
  purl: textOf(element, 'purl'),
  cpe: textOf(element, 'cpe'),
  scope: textOf(element, 'scope'),
  supplier: { name: textOf(childOf(element, 'supplier'), 'name') },
  publisher: textOf(element, 'publisher'),
  hashes: childrenOf(childOf(element, 'hashes'), 'hash').map(({ attributes, text }) => ({
    alg: attributes['alg'],
    content: text.trim(),
  })),
  properties: childrenOf(childOf(element, 'properties'), 'property').map(({ attributes, text }) => ({
    name: attributes['name'],
    value: text,
  })),
  licenses: (childOf(element, 'licenses')?.children ?? []).map((choice) =>
    choice.name === 'expression'
      ? { expression: choice.text }
      : { license: { id: textOf(choice, 'id'), name: textOf(choice, 'name') } },
  ),
  cryptoProperties: { assetType: textOf(childOf(element, 'cryptoProperties'), 'assetType') },
  modelCard: {
    modelParameters: { task: textOf(childOf(childOf(element, 'modelCard'), 'modelParameters'), 'task') },
  },
  components: childrenOf(childOf(element, 'components'), 'component').map(componentFields),
  vulnerabilities: childrenOf(childOf(element, 'vulnerabilities'), 'vulnerability').map(vulnerabilityFields),
})

/** Converts a dependency to the JSON form. */
export const dependencyFields = (element: Element): Fields => ({
  ref: element.attributes['ref'],
  dependsOn: childrenOf(element, 'dependency').flatMap(({ attributes }) => attributes['ref'] ?? []),
})

/** Converts a service to the JSON form. */
export const serviceFields = (element: Element): Fields => ({
  group: textOf(element, 'group'),
  name: textOf(element, 'name'),
  version: textOf(element, 'version'),
  endpoints: childrenOf(childOf(element, 'endpoints'), 'endpoint').map(({ text }) => text.trim()),
  authenticated: flag(textOf(element, 'authenticated')),
  'x-trust-boundary': flag(textOf(element, 'x-trust-boundary')),
  // Until 1.4 `classification` with its flow, since then `dataflow` with both.
  data: (childOf(element, 'data')?.children ?? []).map((data) => ({
    flow: data.attributes['flow'] ?? textOf(data, 'flow'),
    classification: data.name === 'classification' ? data.text : textOf(data, 'classification'),
  })),
  services: childrenOf(childOf(element, 'services'), 'service').map(serviceFields),
})

const flag = (text: string | undefined): boolean | undefined => (text === undefined ? undefined : text === 'true')

/** Converts tools to a list in the JSON form. */
export const toolFields = (element: Element): Fields[] =>
  [...childrenOf(element, 'tool'), ...childrenOf(childOf(element, 'components'), 'component')].map((tool) => ({
    name: textOf(tool, 'name'),
    version: textOf(tool, 'version'),
  }))

/** Converts a vulnerability to the JSON form, from version 1.4 or the earlier extension. */
export const vulnerabilityFields = (element: Element): Fields => {
  const old = element.attributes['ref']
  const targets = childrenOf(childOf(element, 'affects'), 'target').map((target) => ({
    ref: textOf(target, 'ref'),
    versions: childrenOf(childOf(target, 'versions'), 'version').map((version) => ({
      version: textOf(version, 'version'),
      range: textOf(version, 'range'),
      status: textOf(version, 'status'),
    })),
  }))
  const affects = old === undefined ? targets : [{ ref: old }]
  const advisories = childrenOf(childOf(element, 'advisories'), 'advisory').map((advisory) => ({
    url: textOf(advisory, 'url') ?? advisory.text,
  }))
  return {
    id: textOf(element, 'id'),
    'bom-ref': element.attributes['bom-ref'],
    description: textOf(element, 'description'),
    detail: textOf(element, 'detail'),
    recommendation: textOf(element, 'recommendation') ?? textOf(childOf(element, 'recommendations'), 'recommendation'),
    ratings: childrenOf(childOf(element, 'ratings'), 'rating').map((rating) => ({
      score: textOf(childOf(rating, 'score'), 'base') ?? textOf(rating, 'score'),
      severity: textOf(rating, 'severity'),
      method: textOf(rating, 'method'),
      vector: textOf(rating, 'vector'),
    })),
    cwes: childrenOf(childOf(element, 'cwes'), 'cwe').map(({ text }) => text),
    references: childrenOf(childOf(element, 'references'), 'reference').map((reference) => ({
      id: textOf(reference, 'id'),
      source: { url: textOf(childOf(reference, 'source'), 'url') },
    })),
    advisories,
    published: textOf(element, 'published'),
    workaround: textOf(element, 'workaround'),
    analysis: {
      state: textOf(childOf(element, 'analysis'), 'state'),
      justification: textOf(childOf(element, 'analysis'), 'justification'),
      detail: textOf(childOf(element, 'analysis'), 'detail'),
      response: childrenOf(childOf(childOf(element, 'analysis'), 'responses'), 'response').map(({ text }) =>
        text.trim(),
      ),
    },
    ...(affects.length > 0 && { affects }),
  }
}
