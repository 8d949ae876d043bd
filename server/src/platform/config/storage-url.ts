import { fileURLToPath } from 'node:url'
import { isLoopback, Wrong } from './config-values.ts'

/** A bucket, or a part of it. */
export interface BucketAddress {
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  /** Without a path. */
  endpoint: string
  region: string
}

const EXAMPLE = 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1'
const PARAMETERS = ['endpoint', 'region']

/** Checks the text of `STORAGE_URL`. */
export const storageUrl = (text: string): string => {
  if (!URL.canParse(text)) throw new Wrong(`must be an address such as ${EXAMPLE} or file:///srv/uploads`)
  const { protocol, host } = new URL(text)
  if (protocol === 'file:') {
    if (host !== '') throw new Wrong('must have three slashes after file:, such as file:///srv/uploads')
    fileURLToPath(text)
    return text
  }
  parseBucketUrl(text)
  return text
}

/** @throws Wrong for anything but the URL of a bucket */
export const parseBucketUrl = (text: string): BucketAddress => {
  if (!URL.canParse(text) || new URL(text).protocol !== 's3:')
    throw new Wrong(`must be an address such as ${EXAMPLE} or file:///srv/uploads`)
  const { hostname, port, pathname, searchParams, username, password, hash } = new URL(text)
  if (username || password)
    throw new Wrong('must have no key or secret: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  // The rules of S3 for names of buckets.
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname) || port !== '' || hash !== '')
    throw new Wrong(`must name a bucket, such as ${EXAMPLE}`)
  const parts = pathname.split('/').filter((part) => part !== '')
  if (!parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part)))
    throw new Wrong('must have a prefix of letters, digits, and the characters . _ - and /')
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) throw new Wrong(`has an unknown parameter, ${unknown}: it takes endpoint and region`)
  const region = searchParams.get('region') || 'us-east-1'
  if (!/^[a-z0-9-]{1,64}$/i.test(region)) throw new Wrong('must have a region such as eu-central-1')
  return {
    bucket: hostname,
    prefix: parts.map((part) => `${part}/`).join(''),
    endpoint: endpointOf(searchParams.get('endpoint') || `https://s3.${region}.amazonaws.com`),
    region,
  }
}

const endpointOf = (text: string): string => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    throw new Wrong('must have an endpoint that starts with https://')
  if (parsed.pathname !== '/' || parsed.search || parsed.hash || parsed.username)
    throw new Wrong('must have an endpoint without path, query, fragment or user')
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    throw new Wrong('must have an endpoint that starts with https://; http:// is allowed only for loopback')
  return parsed.origin
}

/** An access key, which is not secret. */
export const accessKey = (text: string): string => {
  if (!/^[\w.-]{3,128}$/.test(text)) throw new Wrong('must have 3 to 128 letters, digits, dots, dashes or underscores')
  return text
}
