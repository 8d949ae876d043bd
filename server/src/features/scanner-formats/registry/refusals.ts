import { isOtherReport } from '../openvas/openvas.ts'
import type { Head } from './format.ts'

/** What a file is that cannot be imported, and what to do instead, as one sentence of at most 300 characters. */
type Refusal = readonly [isIt: (head: Known) => boolean, sentence: string]

type Known = Exclude<Head, { shape: 'empty' }>

/** The first line with words; before JSON or XML others may come, such as those of a command. */
const firstLine = (head: Known): string =>
  head.shape === 'text'
    ? head.line
    : (head.text
        .slice(0, 4_096)
        .split(/\r?\n/)
        .find((line) => line.trim() !== '') ?? '')

const begins =
  (...starts: (string | RegExp)[]) =>
  (head: Known): boolean =>
    starts.some((start) =>
      typeof start === 'string' ? head.text.slice(0, 100).startsWith(start) : start.test(firstLine(head)),
    )
const keys =
  (...names: string[]) =>
  (head: Known): boolean =>
    head.shape === 'json' && names.every((name) => head.keys.has(name))
const root =
  (...names: string[]) =>
  (head: Known): boolean =>
    head.shape === 'xml' && names.includes(head.root.toLowerCase())
const has =
  (pattern: RegExp) =>
  (head: Known): boolean =>
    pattern.test(head.text.slice(0, 100_000))
const both =
  (one: Refusal[0], other: Refusal[0]): Refusal[0] =>
  (head) =>
    one(head) && other(head)

/** Comments and variables of a shell may come before the first command. */
const isCommandsOfCurl = (head: Known): boolean => {
  if (head.shape !== 'text') return false
  const command = head.text
    .slice(0, 4_096)
    .split(/\r?\n/)
    .find((line) => line.trim() !== '' && !/^(?:#|export |set )/.test(line))
  return /^(?:\$ )?curl(?:\.exe)? /i.test(command ?? '')
}

/** Programs that write SARIF as well. */
const withSarif = (program: string, option: string): string =>
  `this is a report of ${program}: run it with ${option} and import that file`

const PAGE = 'on the page API requests of the engagement'
const REQUESTS = `import it ${PAGE}`

/** The first that fits counts. */
const REFUSALS: readonly Refusal[] = [
  // Magic bytes; what is not text is decoded, with U+FFFD in place of what cannot be.
  [
    both(
      begins('PK'),
      has(/xl\/(?:workbook|worksheets|sharedStrings|styles)|spreadsheetml|\[Content_Types\]\.xml[^]{0,400}xl\//),
    ),
    'this is an Excel file: save it as CSV UTF-8 and import that',
  ],
  [
    both(begins('PK'), has(/\[Content_Types\]\.xml/)),
    'this is a file of Microsoft Office: save a table as CSV UTF-8, and import the report of the tool itself',
  ],
  [
    both(begins('PK'), has(/mimetypeapplication\/vnd\.oasis/)),
    'this is an OpenDocument file: save the table as CSV UTF-8 and import that',
  ],
  [begins('PK'), 'this is a ZIP: unpack it and drop the files in it'],
  [begins('7z\u00bc', '7z\ufffd', 'Rar!'), 'this is a packed archive (7z or RAR): unpack it and drop the files in it'],
  [
    both(begins(/./), has(/^[^\n]{0,200}\u0000{20}[^]{0,400}ustar/)),
    'this is a tar archive: unpack it and drop the files in it',
  ],
  [
    begins('%PDF-'),
    'this is a PDF: export the results in the XML, JSON or CSV of the tool, since a PDF has only their pictures',
  ],
  [
    begins('\ufffd\ufffd\u0011\u0871', '\u00d0\u00cf\u0011\u00e0', '\ufffd\ufffd\u0011\ufffd'),
    'this is an old file of Microsoft Office: save the table as CSV UTF-8 and import that',
  ],
  [
    begins('SQLite format 3'),
    'this is a SQLite database: export the results with the tool that wrote it, as JSON or CSV',
  ],
  [
    begins('\ufffdPNG', '\u2030PNG', '\ufffd\ufffd\ufffd\ufffd\u0000\u0010JFIF', 'GIF8'),
    'this is a picture: attach it to a finding or a result as evidence',
  ],
  [begins('\u007fELF', 'MZ'), 'this is a program, not the output of one'],
  [
    // pcap in both byte orders, with microseconds or nanoseconds, and pcapng.
    begins(
      '\ufffd\u00f2\ufffd\u0002\u0000',
      '\ufffd\ufffd\ufffd\ufffd\u0000\u0002',
      'M<\ufffd\ufffd\u0002\u0000',
      '\ufffd\ufffd<M\u0000\u0002',
      '\n\r\r\n',
    ),
    'this is a capture of network traffic: attach it to a result as evidence',
  ],
  [begins('bplist', 'REGF', 'regf'), 'this is a binary file of the system: attach it to a result as evidence'],

  // HTML and XML of other programs.
  [
    both(root('html'), (head) => head.shape === 'xml' && /nessus/i.test(head.text.slice(0, 20_000))),
    'this is the HTML report of Nessus: export the scan as .nessus and import that',
  ],
  [
    both(begins(/<!doctype html|<html/i), has(/nessus/i)),
    'this is the HTML report of Nessus: export the scan as .nessus and import that',
  ],
  [root('html'), 'this is an HTML report: export the results as XML, JSON or CSV with the tool that wrote it'],
  [
    begins(/^<!doctype html|^<html/i),
    'this is an HTML report: export the results as XML, JSON or CSV with the tool that wrote it',
  ],
  [
    root('metasploitv5', 'metasploitv4', 'metasploitexpressv5'),
    'this is an export of Metasploit: import the scans that were imported there, and its hosts and services as CSV (services -o services.csv) with mapping=',
  ],
  [
    (head) => head.shape === 'xml' && head.root === 'definitions' && /schemas\.xmlsoap\.org\/wsdl/.test(head.text),
    'this is a WSDL, a description of a SOAP service: import it in Postman or SoapUI, and the collection on the page API requests',
  ],
  [
    root('arachni_report', 'report_arachni'),
    'this is a report of Arachni, which is no longer maintained: import it as CSV with mapping=',
  ],
  [
    (head) => head.shape === 'xml' && /^(?:rdf|spdx)/i.test(head.root),
    'this is SPDX in XML: save it as SPDX JSON (syft -o spdx-json) and import that',
  ],
  [
    root('vulnsdetail', 'was_scan_report', 'webapp_scan_report'),
    'this is a web application report of Qualys: export it as CSV and import that',
  ],
  [
    both(root('report'), has(/arachni/i)),
    'this is a report of Arachni, which is no longer maintained: import it as CSV with mapping=',
  ],
  [root('nexposesimplexml'), 'this is Simple XML of Nexpose: export the report as XML Export 2.0 and import that'],
  [
    (head) => head.shape === 'xml' && head.root === 'analysis' && /dependency-check/i.test(head.text.slice(0, 5_000)),
    withSarif('OWASP Dependency-Check', '--format SARIF'),
  ],
  [
    root('testsuites', 'testsuite'),
    'this is a JUnit report: export the results as SARIF, JSON or CSV with the tool that wrote it',
  ],

  [
    both(root('get_reports_response'), (head) => isOtherReport(head.text)),
    'this is an answer of Greenbone with a report in another format, in base64: fetch the report in the format XML (get_reports format_id=) and import that',
  ],
  [
    root('get_reports_response'),
    'this is an error of Greenbone, without a report: fetch the report again, with its id and your permission to see it',
  ],

  // JSON of other programs.
  [
    (head) => keys('ip_str')(head) || (keys('data', 'ports')(head) && keys('hostnames')(head)),
    'this is a host of Shodan, which was not scanned in this engagement: scan the address, or import the ports as host:port lines',
  ],
  [
    (head) =>
      (keys('services', 'autonomous_system')(head) && keys('ip')(head)) ||
      keys('result', 'result.services')(head) ||
      keys('host.services')(head),
    'this is a host of Censys, which was not scanned in this engagement: scan the address, or import the ports as host:port lines',
  ],
  [
    keys('DetectorName', 'SourceMetadata'),
    'this is the JSON of trufflehog: export SARIF with gitleaks, or write the secrets found into a CSV with title,severity,asset',
  ],
  [
    keys('stringsFound', 'printDiff'),
    'this is the JSON of trufflehog: export SARIF with gitleaks, or write the secrets found into a CSV with title,severity,asset',
  ],
  [
    both(keys('sitemap', 'issues'), keys('options')),
    'this is a report of Arachni, which is no longer maintained: import it as CSV with mapping=',
  ],
  [
    keys('FindingUniqueId', 'CheckID'),
    'this is native JSON of Prowler 3: run it with -M json-ocsf, or -M csv, and import that file',
  ],
  [
    keys('ProductArn', 'GeneratorId'),
    'these are findings in the format of AWS Security Hub (ASFF): run Prowler with -M json-ocsf, or write them into a CSV with title,severity,asset',
  ],
  [
    keys('account_id', 'services', 'provider_code'),
    'this is ScoutSuite: run Prowler (-M csv or json-ocsf), or import the findings as CSV with title,severity,asset',
  ],
  [
    begins('scoutsuite_results'),
    'this is ScoutSuite: run Prowler (-M csv or json-ocsf), or import the findings as CSV with title,severity,asset',
  ],
  [
    both(keys('meta', 'data'), keys('meta.type')),
    'this is data of BloodHound: import it in BloodHound, and write what you find there as findings',
  ],
  [
    both(keys('meta'), keys('meta.methods')),
    'this is data of BloodHound: import it in BloodHound, and write what you find there as findings',
  ],
  [
    both(keys('alerts'), (head) => !keys('site')(head) && !keys('version')(head)),
    'these are alerts of the API of ZAP, without their sites: generate the report "Traditional JSON Report with Requests and Responses" and import that',
  ],
  [
    both(
      keys('findings'),
      (head) =>
        head.shape === 'json' &&
        [...head.keys].every((key) => key.includes('.') || ['findings', 'name', 'type'].includes(key)),
    ),
    'these are generic findings of DefectDojo in JSON: save them as CSV with title,severity,description,endpoint and import that',
  ],
  [
    both(keys('document'), keys('document.csaf_version')),
    'this is an advisory or VEX in CSAF: save it as OpenVEX or CycloneDX VEX (vexctl, or the tool that wrote it) and import that',
  ],
  [
    (head) => keys('auditReportVersion')(head) || (keys('advisories', 'metadata')(head) && keys('actions')(head)),
    'this is the JSON of npm audit: run trivy fs --format json (or npm sbom --sbom-format cyclonedx) and import that file',
  ],
  [keys('reportSchema', 'dependencies'), withSarif('OWASP Dependency-Check', '--format SARIF')],
  [keys('GosecVersion'), withSarif('gosec', '-fmt sarif')],
  [both(keys('results', 'metrics'), keys('generated_at')), withSarif('Bandit', '-f sarif')],
  [keys('check_type', 'results'), withSarif('Checkov', '-o sarif')],
  [
    (head) => keys('vulnerabilities', 'packageManager')(head) || keys('vulnerabilities', 'isLicensesEnabled')(head),
    withSarif('Snyk', '--sarif'),
  ],
  [
    keys('banner', 'kex', 'enc', 'mac'),
    'this is the JSON of ssh-audit: scan the host with nmap --script ssh2-enum-algos -oX scan.xml, or with nuclei (-jsonl), and import that file',
  ],
  [
    keys('@context', '@graph'),
    'this is SPDX 3 or another graph in JSON-LD: save it as SPDX 2.3 JSON or CycloneDX and import that',
  ],
  [both(keys('log'), keys('log.entries')), `this is an HTTP archive (HAR): ${REQUESTS}`],
  [both(keys('info', 'item'), keys('info.schema')), `this is a collection of Postman: ${REQUESTS}`],
  [keys('_postman_variable_scope'), `this is an environment of Postman: ${REQUESTS}`],
  [keys('openapi'), `this is a description in OpenAPI: ${REQUESTS}`],
  [keys('swagger'), `this is a description in Swagger: ${REQUESTS}`],
  [keys('_type', '__export_format'), `this is an export of Insomnia: ${REQUESTS}`],
  [keys('items', 'version', 'environments'), `this is a collection of Bruno: ${REQUESTS}`],
  [keys('v', 'folders', 'requests'), `this is a collection of Hoppscotch: ${REQUESTS}`],
  [both(keys('targets'), keys('targets.in_scope')), 'this is a list of scope: import it on the page Scope'],
  [keys('categories'), 'this is a checklist: import it on the page Methodologies'],

  // Text.
  [isCommandsOfCurl, `these are cURL commands: import them ${PAGE}`],
  [
    begins(/^\$session = New-Object Microsoft\.PowerShell|^Invoke-(?:WebRequest|RestMethod)/i),
    'this was copied as PowerShell: choose Copy as cURL (bash) in the browser, and import it on the page API requests',
  ],
  [
    begins(/^(?:await )?fetch\(["'`]/),
    'this was copied as fetch: choose Copy as cURL (bash) in the browser, and import it on the page API requests',
  ],
  [begins(/^[A-Z]{3,10} \S{1,4096} HTTP\/\d/), `this is an HTTP request: ${REQUESTS}`],
  [begins(/^(?:swagger|openapi)\s*:/), `this is a description of an API: ${REQUESTS}`],
  [begins(/^meta \{$/), `this is a request of Bruno: ${REQUESTS}`],
  [
    begins(
      /^(?:type|schema|interface|enum|input|scalar|directive) ?@?[\w]* ?(?:@\w+ ?)?(?:implements [\w& ]{1,200} )?\{/,
    ),
    'this is a schema of GraphQL: import requests that use it on the page API requests',
  ],
  [begins(/^SPDXVersion:/), 'this is SPDX as tag and value: save it as SPDX JSON (syft -o spdx-json) and import that'],
  [
    begins(/^# ?masscan .{0,200}scan initiated/i),
    'this is grepable output of masscan: scan with -oJ or -oX and import that file',
  ],
  [
    begins(/^Timestamp: \d{9,12}\s+Host: /),
    'this is grepable output of masscan: scan with -oJ or -oX and import that file',
  ],
  [
    begins(/^Discovered open port \d{1,5}\/\w{2,6} on /, /^Starting masscan /),
    'this is terminal output of masscan: scan with -oJ or -oX and import that file',
  ],
  [
    begins(/^(?:\[[\da-fA-F:]+\]|[\d.]+|[\da-fA-F:]+) -> \[[\d,\s]{1,4096}\]$/),
    'this is output of RustScan: import the XML that its nmap writes (rustscan -a host -- -oX scan.xml)',
  ],
  [
    begins(/^Open (?:\[[\da-fA-F:]+\]|[\d.]+):\d{1,5}$/),
    'this is output of RustScan: import the XML that its nmap writes (rustscan -a host -- -oX scan.xml)',
  ],
  [
    begins(
      /^(?:\d{4}-\d\d-\d\d \S{5,20} )?(?:SMB|LDAP|WINRM|MSSQL|SSH|RDP|WMI|FTP|VNC|NFS)\s+\S+\s+\d{1,5}\s+\S+\s+\[/,
    ),
    'this is output of NetExec or CrackMapExec: import an nmap scan of the hosts, and write what you find as findings',
  ],
  [
    begins(
      /^(?:\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] )?\[[\w.:-]{1,200}\] \[(?:http|dns|tcp|network|ssl|file|headless|javascript|code|websocket|whois)\] \[\w+\] /,
    ),
    'this is terminal output of nuclei: run it with -jsonl -o results.jsonl and import that file',
  ],
  [
    begins(/^https?:\/\/\S{1,2000} \[[^\]]{0,1000}\]/),
    'this is terminal output of httpx or WhatWeb: run it with -json (httpx) or --log-json (WhatWeb) and import that file',
  ],
  [
    begins(/^- Nikto v/, /^"?Nikto (?:- )?v/),
    'this is text output of Nikto: run it with -Format json -output nikto.json and import that file',
  ],
  [
    begins(/^\s*_{3,}|WPScan|^\[\+\] URL: https?:/),
    'this is terminal output of WPScan: run it with -f json -o wpscan.json and import that file',
  ],
  [
    begins(/^#{10,}$|^ ?Start \d{4}-\d\d-\d\d .*-->> /),
    'this is terminal output of testssl.sh: run it with --jsonfile results.json and import that file',
  ],
  [
    both(begins(/^identifier,asset_type/i), () => true),
    'this is a list of scope of HackerOne: import it on the page Scope',
  ],
  [begins(/^#{1,6} /), 'this is Markdown: import it in the wiki as a ZIP, or a checklist on the page Methodologies'],
]

/** Why a file of this kind is not imported; undefined if it may be one that is. */
export const refusalOf = (head: Known): string | undefined => REFUSALS.find(([isIt]) => isIt(head))?.[1]
