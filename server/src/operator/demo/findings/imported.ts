import type { Severity } from '@sortie/contract/core/values.ts'

/** A finding of nuclei in the demonstration. */
type Imported = readonly [
  templateId: string,
  name: string,
  severity: Severity,
  matchedAt: string,
  description: string,
  solution: string,
  cve?: string,
]

/** By the client's name. */
export const IMPORTED: Readonly<Record<string, readonly Imported[]>> = {
  Contoso: [
    [
      'CVE-2021-41773',
      'Apache 2.4.49 path traversal',
      'high',
      'https://198.51.100.44:8443/icons/.%2e/%2e%2e/etc/passwd',
      'Version 2.4.49 of the Apache HTTP Server maps addresses to files outside of the document root.',
      'Update to 2.4.51 or later.',
      'CVE-2021-41773',
    ],
    [
      'exposed-gitlab',
      'GitLab sign-in without a second factor',
      'medium',
      'https://198.51.100.21/users/sign_in',
      'A GitLab instance answers on the internet and offers a sign-in with a password.',
      'Require a second factor for all accounts, or a VPN.',
    ],
    [
      'springboot-heapdump',
      'Spring Boot actuator: heap dump',
      'critical',
      'https://api.contoso.example/actuator/heapdump',
      'The actuator delivers a dump of the memory, which contains tokens and passwords.',
      'Expose only health and info.',
    ],
    [
      'tls-version',
      'TLS 1.0 is accepted',
      'low',
      'mail.contoso.example:993',
      'The server negotiates TLS 1.0, which browsers have not accepted since 2020.',
      'Allow TLS 1.2 and 1.3 only.',
    ],
    [
      'weak-cipher-suites',
      'Weak cipher suites',
      'low',
      '198.51.100.17:8443',
      'Suites with 3DES and RC4 are offered.',
      'Offer suites with forward secrecy and AEAD only.',
    ],
    [
      'expired-ssl',
      'Expired certificate',
      'medium',
      '198.51.100.33:443',
      'The certificate ended 41 days ago.',
      'Renew it automatically, and alert 14 days before its end.',
    ],
    [
      'http-missing-security-headers',
      'Missing security headers',
      'info',
      'https://www.contoso.example/',
      'Content-Security-Policy and Referrer-Policy are missing.',
      'Add both, starting with a policy that only reports.',
    ],
    [
      'git-config',
      'Git repository in the document root',
      'high',
      'https://booking.contoso.example/.git/config',
      'The repository of the application can be downloaded, with its history.',
      'Deny requests for paths that begin with a dot, and change the secrets that the history contains.',
    ],
    [
      'smtp-open-relay',
      'SMTP without STARTTLS',
      'medium',
      'mail.contoso.example:25',
      'No STARTTLS is offered, so that mail can be read on its way.',
      'Offer STARTTLS and publish a policy of MTA-STS.',
    ],
    [
      'snmp-public',
      'SNMP with the community "public"',
      'medium',
      '198.51.100.9:161',
      'Interfaces, routes and the serial number can be read.',
      'Use SNMP version 3, and only from the management network.',
    ],
    [
      'openssh-regresshion',
      'OpenSSH: race condition in sshd',
      'high',
      '198.51.100.12:22',
      'Versions 8.5p1 to 9.7p1 are affected by CVE-2024-6387. The version was read from the banner and may be patched.',
      'Update to 9.8p1, or to the patched package of the distribution.',
      'CVE-2024-6387',
    ],
  ],
  Fabrikam: [
    [
      'smb-signing-not-required',
      'SMB signing is not required',
      'medium',
      '10.40.0.31:445',
      'Sessions can be relayed to this server.',
      'Require signing by group policy, on servers first.',
    ],
    [
      'ms17-010',
      'SMB version 1: EternalBlue',
      'critical',
      '10.40.1.77:445',
      'The host answers like an unpatched Windows 7. We did not exploit it: it controls a label printer.',
      'Replace the host, or place it in a network of its own.',
      'CVE-2017-0144',
    ],
    [
      'ldap-anonymous',
      'Directory can be read without signing in',
      'medium',
      'dc02.corp.fabrikam.example:636',
      'Names of all users, groups and computers can be read without an account.',
      'Deny anonymous binds.',
    ],
    [
      'ipmi-cipher-zero',
      'IPMI with cipher zero',
      'high',
      '10.40.0.202:623',
      'The management controller accepts any password.',
      'Update its firmware, and place it in the management network.',
      'CVE-2013-4782',
    ],
    [
      'printer-default-login',
      'Printer with its default password',
      'low',
      '10.40.2.14:80',
      'The address book contains the password of an account for scanning to a share.',
      'Set a password, and give the account no other rights.',
    ],
  ],
  'Tailspin Toys': [
    [
      'swagger-api',
      'Description of the API is public',
      'info',
      'https://api.tailspin.example/v2/resource-1/openapi.json',
      'All endpoints are listed, including those of the back office.',
      'Deliver it to signed-in developers only.',
    ],
    [
      'cors-misconfig',
      'CORS allows any origin with credentials',
      'medium',
      'https://api.tailspin.example/v2/resource-3',
      'The header Origin is copied into Access-Control-Allow-Origin.',
      'Compare it with a fixed list.',
    ],
    [
      'graphql-introspection',
      'GraphQL introspection',
      'low',
      'https://api.tailspin.example/v2/resource-9',
      'The schema can be read without an account.',
      'Turn introspection off in production.',
    ],
  ],
}

/** A report of nuclei, as JSON lines. */
export const nucleiFile = (found: readonly Imported[], seenAt: string): string =>
  found
    .map(([templateId, name, severity, matchedAt, description, remediation, cve]) =>
      JSON.stringify({
        'template-id': templateId,
        info: { name, severity, description, remediation, ...(cve && { classification: { 'cve-id': [cve] } }) },
        type: matchedAt.startsWith('http') ? 'http' : 'network',
        host: matchedAt,
        'matched-at': matchedAt,
        'matcher-status': true,
        timestamp: seenAt,
      }),
    )
    .join('\n')
