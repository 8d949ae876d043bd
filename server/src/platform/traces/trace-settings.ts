import { line, origin, Wrong } from '../config/config-values.ts'
import type { Variable } from '../config/variable.ts'

/** A name of a header, and a value without control characters. */
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/**
 * The headers of `OTEL_EXPORTER_OTLP_HEADERS`, whose values may be percent-encoded.
 *
 * @throws Wrong, without a value
 */
export const otlpHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').map((entry, index) => {
      const [name = '', ...rest] = entry.split('=')
      const value = decoded(rest.join('=').trim())
      if (rest.length === 0 || !HEADER.test(name.trim()) || value === undefined || !VALUE.test(value))
        throw new Wrong(
          `entry ${index + 1} must be a header such as name=value; entries are separated by commas, and other characters in a value are percent-encoded`,
        )
      return [name.trim(), value]
    }),
  )

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const ratio = (text: string): number => {
  if (!/^(?:0|1|0\.\d{1,6}|1\.0+)$/.test(text)) throw new Wrong('must be a number from 0 to 1, such as 0.1')
  return Number(text)
}

/** Settings of traces, under the names that OpenTelemetry gives them. */
export const TRACES_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    doc: 'Address of an OpenTelemetry collector (OTLP over HTTP), such as `http://localhost:4318`, that receives [traces](operating/monitoring.md#traces); if unset, there are none.',
    parse: origin,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    doc: 'Headers for the collector, `name=value`, separated by commas, such as `authorization=Bearer%20...`.',
    secret: true,
    parse: (text: string): string => {
      otlpHeaders(text)
      return text
    },
  },
  OTEL_SERVICE_NAME: { doc: 'Name of this server in traces.', fallback: 'sortie', parse: line(100) },
  OTEL_TRACES_SAMPLER_ARG: {
    doc: 'Share of the traces that begin here and are sent, from 0 to 1; a trace that a proxy of `TRUST_PROXY` began is sent if that proxy records it.',
    fallback: '1',
    parse: ratio,
  },
} as const satisfies Record<string, Variable<unknown>>
