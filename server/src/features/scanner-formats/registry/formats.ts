import { amass } from '../amass.ts'
import { openvex } from '../bom/openvex.ts'
import { spdx } from '../bom/spdx.ts'
import { burp } from '../burp.ts'
import { gitleaks } from '../code/gitleaks.ts'
import { grype } from '../code/grype.ts'
import { semgrep } from '../code/semgrep.ts'
import { trivy } from '../code/trivy.ts'
import { csv } from '../csv/csv.ts'
import { cyclonedx } from '../cyclonedx/cyclonedx.ts'
import { httpx } from '../httpx.ts'
import { masscan } from '../masscan.ts'
import { naabu } from '../naabu.ts'
import { dnsx } from '../names/dnsx.ts'
import { nessus } from '../nessus.ts'
import { nmap } from '../nmap/nmap.ts'
import { nuclei } from '../nuclei.ts'
import { openvas } from '../openvas/openvas.ts'
import { acunetix } from '../reports/acunetix.ts'
import { invicti } from '../reports/invicti.ts'
import { nexpose } from '../reports/nexpose.ts'
import { prowler } from '../reports/prowler.ts'
import { qualys } from '../reports/qualys.ts'
import { sarif } from '../sarif/sarif.ts'
import { subfinder } from '../subfinder.ts'
import { sslscan } from '../tls/sslscan.ts'
import { sslyze } from '../tls/sslyze.ts'
import { testssl } from '../tls/testssl.ts'
import { tlsx } from '../tlsx.ts'
import { dirsearch } from '../web-paths/dirsearch.ts'
import { feroxbuster } from '../web-paths/feroxbuster.ts'
import { ffuf } from '../web-paths/ffuf.ts'
import { gobuster } from '../web-paths/gobuster.ts'
import { katana } from '../web-paths/katana.ts'
import { urls } from '../web-paths/urls.ts'
import { burpItems } from '../web/burp-items.ts'
import { gowitness } from '../web/gowitness.ts'
import { nikto } from '../web/nikto.ts'
import { whatweb } from '../web/whatweb.ts'
import { wpscan } from '../web/wpscan.ts'
import { zap } from '../zap.ts'
import { type Format, type FormatId, type Head, UnreadableFile } from './format.ts'
import { refusalOf } from './refusals.ts'

/** All import formats. Each one recognises only its own files; CSV is less specific and comes last. */
export const FORMATS: readonly Format[] = [
  nmap,
  masscan,
  naabu,
  subfinder,
  amass,
  dnsx,
  httpx,
  tlsx,
  nuclei,
  burp,
  burpItems,
  nessus,
  zap,
  openvas,
  qualys,
  nexpose,
  acunetix,
  invicti,
  nikto,
  wpscan,
  whatweb,
  gowitness,
  ffuf,
  feroxbuster,
  gobuster,
  dirsearch,
  katana,
  urls,
  testssl,
  sslyze,
  sslscan,
  prowler,
  sarif,
  cyclonedx,
  spdx,
  openvex,
  trivy,
  grype,
  semgrep,
  gitleaks,
  csv,
]

/** Returns the format that the start of the file matches so far. */
export const findFormat = (head: Head, named: FormatId | 'auto'): Format | undefined =>
  FORMATS.find((format) => (named === 'auto' || format.id === named) && format.isIn(head))

/**
 * Detects the format of a file from its start. A format that the importer names is used only if the content matches it.
 *
 * @returns undefined for an empty file with a named format
 * @throws UnreadableFile with what the file is, and what to do instead
 */
export const recognise = (head: Head, named: FormatId | 'auto'): Format | undefined => {
  if (head.shape === 'empty') {
    if (named === 'auto')
      throw new UnreadableFile('the file is empty, or an empty list: if the tool found nothing, name its format')
    return undefined
  }
  const found = findFormat(head, named)
  // A file of another program may look like a list of columns.
  const refusal = found && found.id !== 'csv' ? undefined : refusalOf(head)
  if (refusal !== undefined) throw new UnreadableFile(refusal)
  if (found) return found
  const other = named === 'auto' ? undefined : findFormat(head, 'auto')
  if (other)
    throw new UnreadableFile(`this is a file of ${other.name}, not of ${named}: import it without naming a format`)
  throw new UnreadableFile(
    `no format is known whose files ${described(head)}. docs/imports.md lists what can be imported; any CSV can, with mapping=column:field`,
  )
}

const described = (head: Exclude<Head, { shape: 'empty' }>): string => {
  if (head.shape === 'xml') return `are XML with the root ${head.root.slice(0, 60)}`
  if (head.shape === 'json')
    return `are JSON with the keys ${[...head.keys]
      .filter((key) => !key.includes('.'))
      .slice(0, 8)
      .join(', ')
      .slice(0, 100)}`
  return `begin with "${head.line.slice(0, 60)}"`
}
