import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { approvedReport } from '../../support/reports/approved-report.ts'
import { type CertificateOptions, pkcs12Of } from '../../support/reports/certificate.ts'
import { pdfInfo, pdfSignatures, pdfText } from '../../support/reports/pdf.ts'

const WEB = '/api/web'
const CERTIFICATE = `${WEB}/report-settings/certificate`
const PASSPHRASE = 'correct horse'
const PASSWORD = 'Grüße an den Kunden'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const upload = (pkcs12: string, passphrase = PASSPHRASE, client = owner) =>
  client.post(CERTIFICATE, { pkcs12, passphrase })

const deliver = async (options: object, formats = ['pdf']) => {
  const { id } = await approvedReport(owner, WEB)
  return owner.post(`${WEB}/reports/${id}/deliver`, { formats, ...options })
}

const pdfOf = async (editionId: string): Promise<Buffer> => {
  const answer = await fetch(`${owner.origin}${WEB}/editions/${editionId}/files/pdf`, { headers: owner.headers })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

const delivered = async (options: object) => {
  const { status, text, body } = await deliver(options)
  expect(status, text).toBe(201)
  return { edition: body.data, pdf: await pdfOf(body.data.id) }
}

const textOf = async (pdf: Buffer, password?: string) => (await pdfText(pdf, password)).replaceAll(/\s+/g, ' ')

describe('the certificate of an organization', () => {
  test('is uploaded, shown without its key, replaced and removed; the audit log has each', async () => {
    const admin = await app.signedIn('admin')
    expect((await owner.get(CERTIFICATE)).body.data).toEqual({ certificate: null })
    const first = await upload(await pkcs12Of())
    expect(first.status, first.text).toBe(201)
    expect(first.body.data).toMatchObject({
      subject: 'Northwind Security Zürich',
      issuer: 'Northwind Security Zürich',
      createdBy: { name: expect.any(String) },
    })
    const second = await upload(await pkcs12Of({ passphrase: '' }), '', admin)
    expect(second.status, second.text).toBe(201)
    expect(second.body.data.sha256).not.toBe(first.body.data.sha256)
    const member = await app.signedIn('member')
    const read = await member.get(CERTIFICATE)
    expect(read.body.data.certificate).toEqual(second.body.data)
    expect(read.text).not.toContain('pkcs12')
    expect((await admin.delete(CERTIFICATE)).body.data).toEqual({ deleted: true })
    expect((await admin.delete(CERTIFICATE)).status).toBe(200)
    expect((await owner.get(CERTIFICATE)).body.data.certificate).toBeNull()
    const entries = await app.db
      .selectFrom('audit_entries')
      .select(['action', 'after'])
      .where('action', 'like', 'report-settings.certificate-%')
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual([
      'report-settings.certificate-uploaded',
      'report-settings.certificate-uploaded',
      'report-settings.certificate-removed',
    ])
    expect(JSON.stringify(entries)).not.toContain(PASSPHRASE)
  })

  test('is sealed: the database has neither the file nor the passphrase', async () => {
    const pkcs12 = await pkcs12Of()
    expect((await upload(pkcs12)).status).toBe(201)
    const { sealed } = await app.db.selectFrom('report_certificates').select('sealed').executeTakeFirstOrThrow()
    expect(sealed.includes(Buffer.from(pkcs12, 'base64').subarray(0, 32))).toBe(false)
    expect(sealed.includes(PASSPHRASE)).toBe(false)
    expect(sealed.includes(pkcs12.slice(0, 32))).toBe(false)
    await owner.delete(CERTIFICATE)
  })

  test('is written by owner and admins, and read by everyone with reports:read', async () => {
    const member = await app.signedIn('member')
    const key = await app.withKey(['reports:read'])
    expect((await upload('AAAA', PASSPHRASE, member)).status).toBe(403)
    expect((await member.delete(CERTIFICATE)).status).toBe(403)
    expect((await key.get('/api/v1/report-settings/certificate')).status).toBe(200)
    expect((await key.post('/api/v1/report-settings/certificate', { pkcs12: 'AAAA', passphrase: '' })).status).toBe(404)
  })

  const refusals: [string, CertificateOptions, string, string?][] = [
    ['a wrong passphrase', {}, 'passphrase: does not open this file', 'wrong horse'],
    ['no private key', { hasKey: false }, 'pkcs12: has no private key'],
    ['a key usage without signatures', { keyUsage: 'keyEncipherment' }, 'pkcs12: the key usage of the certificate'],
    ['a short key', { key: ['-newkey', 'rsa:1024'] }, 'pkcs12: its key has fewer than 2048 bits'],
    [
      'an elliptic key',
      { key: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'] },
      'pkcs12: its key is not an RSA key',
    ],
  ]
  test.each(refusals)('with %s is 422 with that reason', async (_name, options, message, passphrase = PASSPHRASE) => {
    const { status, body } = await upload(await pkcs12Of(options), passphrase)
    expect(status).toBe(422)
    expect(body.error.message).toContain(message)
    expect((await owner.get(CERTIFICATE)).body.data.certificate).toBeNull()
  })

  test('in another format is 422', async () => {
    for (const bytes of ['not a certificate', ''.padEnd(2_000, '0'), '0\u0003\u0002\u0001\u0003']) {
      const { status, body } = await upload(Buffer.from(bytes).toString('base64'))
      expect(status).toBe(422)
      expect(body.error.message).toContain('pkcs12: is not a PKCS#12 file')
    }
  })
})

describe('a delivery', () => {
  test('signs the PDF file; poppler finds the signature valid, and covering the whole file', async () => {
    await upload(await pkcs12Of())
    const { edition, pdf } = await delivered({ sign: true })
    expect(edition).toMatchObject({ signedBy: 'Northwind Security Zürich', encrypted: false })
    const signatures = await pdfSignatures(pdf)
    expect(signatures).toContain('Signature Validation: Signature is Valid.')
    expect(signatures).toContain('Total document signed')
    expect(signatures).toContain('Signing Hash Algorithm: SHA-256')
    expect(signatures).toContain('Signer Certificate Common Name: Northwind Security Zürich')
    expect(await textOf(pdf)).toContain('We found 1 weakness.')
    expect(pdf.includes('pdfaid:part')).toBe(true)
    const changed = Buffer.from(pdf)
    const at = changed.indexOf('/MediaBox [0 0 595')
    changed[at + '/MediaBox [0 0 59'.length] = '4'.charCodeAt(0)
    expect(await pdfSignatures(changed)).toContain('Digest Mismatch')
  })

  test('with a password encrypts the PDF file with AES-256; without it nothing is read, and it is not PDF/A', async () => {
    const { edition, pdf } = await delivered({ password: PASSWORD })
    expect(edition).toMatchObject({ signedBy: null, encrypted: true })
    const info = await pdfInfo(pdf, PASSWORD)
    expect(info).toContain('algorithm:AES-256')
    expect(info).toMatch(/Tagged: +yes/)
    expect(await textOf(pdf, PASSWORD)).toContain('We found 1 weakness.')
    await expect(pdfText(pdf)).rejects.toThrow('Incorrect password')
    await expect(pdfText(pdf, 'another password')).rejects.toThrow('Incorrect password')
    for (const word of ['Penetration', 'weakness', 'pdfaid', 'Northwind']) expect(pdf.includes(word)).toBe(false)
    const again = await delivered({ password: PASSWORD })
    expect(again.edition.files[0].sha256).not.toBe(edition.files[0].sha256)
  })

  test('signs what is encrypted: both together', async () => {
    await upload(await pkcs12Of())
    const { edition, pdf } = await delivered({ sign: true, password: PASSWORD })
    expect(edition).toMatchObject({ signedBy: 'Northwind Security Zürich', encrypted: true })
    const signatures = await pdfSignatures(pdf, PASSWORD)
    expect(signatures).toContain('Signature Validation: Signature is Valid.')
    expect(signatures).toContain('Total document signed')
    expect(await textOf(pdf, PASSWORD)).toContain('We found 1 weakness.')
    await expect(pdfText(pdf)).rejects.toThrow('Incorrect password')
    const sha256 = createHash('sha256').update(pdf).digest('hex')
    expect(sha256).toBe(edition.files[0].sha256)
    const verified = await owner.request('POST', `${WEB}/editions/verify`, { rawBody: pdf })
    expect(verified.body.data).toMatchObject({ edition: { id: edition.id, encrypted: true }, format: 'pdf' })
  })

  test('leaves no password: neither in the database nor in the audit log', async () => {
    const secret = 'An unusual password 4711'
    const { edition } = await delivered({ password: secret })
    const { reportId } = edition
    const entries = await app.db.selectFrom('audit_entries').selectAll().where('object_id', '=', reportId).execute()
    expect(entries.find(({ action }) => action === 'report.delivered')?.after).toMatchObject({ encrypted: true })
    expect(JSON.stringify(entries)).not.toContain(secret)
    const stored = await app.db.selectFrom('report_editions').selectAll().where('id', '=', edition.id).execute()
    expect(JSON.stringify(stored)).not.toContain(secret)
  })

  test('is refused without a certificate, without a PDF file, and for a password that cannot be used', async () => {
    await owner.delete(CERTIFICATE)
    const without = await deliver({ sign: true })
    expect([without.status, without.body.error.message]).toEqual([
      409,
      'This organization has no certificate to sign with.',
    ])
    for (const [options, formats] of [
      [{ sign: true }, ['json']],
      [{ password: PASSWORD }, ['html']],
      [{ password: 'short' }, ['pdf']],
      [{ password: 'ü'.repeat(64) }, ['pdf']],
      [{ password: 'two\nlines in it' }, ['pdf']],
    ] as const)
      expect((await deliver(options, [...formats])).status).toBe(422)
  })

  test('without these options is a PDF file that is neither signed nor encrypted', async () => {
    const { edition, pdf } = await delivered({})
    expect(edition).toMatchObject({ signedBy: null, encrypted: false })
    expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7')
    expect(pdf.includes('/Encrypt')).toBe(false)
    expect(pdf.includes('/ByteRange')).toBe(false)
  })

  test('with a certificate that has expired since is refused', async () => {
    await upload(await pkcs12Of({ days: 30 }))
    app.clock.advance(31 * 24 * 60 * 60 * 1000)
    // The other sessions have ended.
    const admin = await app.signedIn('admin')
    const { id } = await approvedReport(admin, WEB)
    const { status, body } = await admin.post(`${WEB}/reports/${id}/deliver`, { formats: ['pdf'], sign: true })
    expect([status, body.error.message]).toEqual([
      409,
      'The certificate is not valid now: upload another one in the settings of reports.',
    ])
    const expired = await upload(await pkcs12Of({ days: 30 }), PASSPHRASE, admin)
    expect([expired.status, expired.body.error.message]).toEqual([
      422,
      expect.stringContaining('pkcs12: the certificate expired on '),
    ])
  })
})
