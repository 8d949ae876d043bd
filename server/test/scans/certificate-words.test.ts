import { expect, test } from 'vitest'
import {
  distinguishedName,
  serialNumber,
  versionOfTls,
} from '../../src/features/inventory/sightings/certificate-facts.ts'

test.each([
  ['CN=a.example, O=Lab, C=DE', 'CN=a.example, O=Lab, C=DE'],
  ['CN=a.example,O=Lab,C=DE', 'CN=a.example, O=Lab, C=DE'],
  ['C=DE, O=Lab, CN=a.example', 'CN=a.example, O=Lab, C=DE'],
  ['C=US, O=Foo, Inc., CN=a.example', String.raw`CN=a.example, O=Foo\, Inc., C=US`],
  [String.raw`CN=a.example, O=Foo\, Inc., C=US`, String.raw`CN=a.example, O=Foo\, Inc., C=US`],
  ['C=ES, O=FNMT-RCM, 2.5.4.97=VATES-Q2826004J', 'C=ES, O=FNMT-RCM, 2.5.4.97=VATES-Q2826004J'],
  ['a.example', 'a.example'],
])('the name %s of a certificate is the same line from every tool', (written, line) => {
  expect(distinguishedName(written)).toBe(line)
})

test('numbers and versions of TLS are the same words from every tool; others are unchanged', () => {
  expect(['32:8a:A1', '328AA1', '1', '12:3', 'unknown'].map(serialNumber)).toEqual([
    '328AA1',
    '328AA1',
    '1',
    '12:3',
    'unknown',
  ])
  expect(['ssl30', 'tls10', 'tls13', 'TLSv1.2', 'dtls12'].map(versionOfTls)).toEqual([
    'SSLv3',
    'TLSv1',
    'TLSv1.3',
    'TLSv1.2',
    'dtls12',
  ])
})
