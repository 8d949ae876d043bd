import { entry } from '../entry.ts'

export const certificateExpired = entry({
  key: 'certificate-expired',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  cwe: ['CWE-324', 'CWE-298'],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CRYP-01'],
  attack: ['T1557'],
  tags: ['tls', 'certificates'],
  rules: { nuclei: ['expired-ssl'], nessus: [15901], testssl: ['cert_expirationStatus', 'cert_notAfter'] },
  references: [
    'https://letsencrypt.org/docs/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/324.html',
  ],
  guidance: [
    '- testssl also reports certificates that will expire soon. Report those as information with the date.',
    '- Check the date of the scan: the certificate may have been renewed since.',
    '- Ask whether the service is still required. Expired certificates often indicate forgotten systems, which are worth a closer look.',
  ],
  en: {
    title: 'TLS certificate has expired',
    summary: 'The certificate of the server is no longer valid. Clients refuse the connection or show a warning.',
    description: [
      'The certificate is past its expiry date. The evidence shows the date. Clients can no longer rely on the certificate, and revocations are not published for expired certificates.',
    ],
    impact: [
      'Programs that check certificates can no longer reach the service. Users see a warning and learn to ignore it. They then do not notice an attacker on the network who presents a forged certificate. An expired certificate also suggests that the system is not maintained.',
    ],
    reproduction: [
      '1. Run `openssl s_client -connect HOST:PORT -servername HOST </dev/null | openssl x509 -noout -dates`.',
      '2. The date after `notAfter` is in the past.',
    ],
    recommendation: [
      '- Renew the certificate, or switch the service off if it is no longer required.',
      '- Renew certificates automatically, for example with ACME.',
      '- Keep a list of all certificates, and monitor their expiry with an alarm at least 14 days in advance.',
    ],
  },
  de: {
    title: 'TLS-Zertifikat ist abgelaufen',
    summary:
      'Das Zertifikat des Servers ist nicht mehr gültig. Clients verweigern die Verbindung oder zeigen eine Warnung.',
    description: [
      'Die Gültigkeit des Zertifikats ist abgelaufen. Der Nachweis zeigt das Datum. Clients können sich auf das Zertifikat nicht mehr verlassen, und für abgelaufene Zertifikate werden keine Sperrungen mehr veröffentlicht.',
    ],
    impact: [
      'Programme, die Zertifikate prüfen, erreichen den Dienst nicht mehr. Benutzer sehen eine Warnung und lernen, sie zu ignorieren. Einen Angreifer im Netzwerk, der ein gefälschtes Zertifikat vorzeigt, bemerken sie dann nicht. Ein abgelaufenes Zertifikat deutet außerdem darauf hin, dass das System nicht gepflegt wird.',
    ],
    reproduction: [
      '1. Führen Sie `openssl s_client -connect HOST:PORT -servername HOST </dev/null | openssl x509 -noout -dates` aus.',
      '2. Das Datum nach `notAfter` liegt in der Vergangenheit.',
    ],
    recommendation: [
      '- Erneuern Sie das Zertifikat oder schalten Sie den Dienst ab, wenn er nicht mehr benötigt wird.',
      '- Erneuern Sie Zertifikate automatisch, zum Beispiel mit ACME.',
      '- Führen Sie ein Verzeichnis aller Zertifikate und überwachen Sie deren Ablauf mit einem Alarm mindestens 14 Tage im Voraus.',
    ],
  },
})
