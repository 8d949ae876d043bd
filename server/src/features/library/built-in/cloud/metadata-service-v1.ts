import { entry } from '../entry.ts'

export const metadataServiceV1 = entry({
  key: 'metadata-service-v1',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:L/I:L/A:N',
  cwe: ['CWE-1188'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: [],
  attack: ['T1552.005'],
  tags: ['cloud', 'metadata'],
  rules: { nuclei: ['ec2-imdsv2'] },
  references: [
    'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html',
    'https://aws.amazon.com/blogs/security/defense-in-depth-open-firewalls-reverse-proxies-ssrf-vulnerabilities-ec2-instance-metadata-service/',
    'https://attack.mitre.org/techniques/T1552/005/',
  ],
  guidance: [
    '- `HttpTokens: optional` means that version 1 is possible. Check the metric `MetadataNoToken` for actual use before the client changes it.',
    '- Rate by the role of the instance: without a role there are no credentials to obtain.',
    '- Containers: a hop limit of 2 or more lets them reach the service too.',
    '- If an application on the instance has server-side request forgery, report that with the credentials as its impact.',
  ],
  en: {
    title: 'Metadata service accepts unprotected requests (IMDSv1)',
    summary:
      'Virtual machines accept metadata requests without a token. Attackers can obtain the credentials of a machine through vulnerable applications on it.',
    description: [
      'Virtual machines in AWS receive their configuration and temporary credentials from a metadata service. In version 1, a simple request is sufficient. Version 2 first requires a token that is obtained with a `PUT` request and a special header. The affected machines also accept version 1.',
    ],
    impact: [
      'If an application on the machine lets attackers send requests (server-side request forgery), or a proxy on it is misconfigured, attackers can obtain the credentials of the machine and use its rights in the cloud environment from outside.',
    ],
    reproduction: [
      '1. Run `aws ec2 describe-instances --query "Reservations[].Instances[].[InstanceId,MetadataOptions.HttpTokens]"`.',
      '2. The affected machines show `optional`.',
    ],
    recommendation: [
      '- Require version 2: `aws ec2 modify-instance-metadata-options --instance-id ID --http-tokens required`. First check with the metric `MetadataNoToken` whether software still uses version 1, and update it.',
      '- Set the default for the account and in images, launch templates and infrastructure code. Enforce it with a service control policy.',
      '- Set the hop limit to 1 if containers do not need the service, and switch the service off where it is not used.',
      '- Limit the rights of the instance roles to what is necessary.',
    ],
  },
  de: {
    title: 'Metadatendienst nimmt ungeschützte Anfragen an (IMDSv1)',
    summary:
      'Virtuelle Maschinen lassen Anfragen an den Metadatendienst ohne Token zu. Angreifer können über verwundbare Anwendungen Zugangsdaten der Maschine erlangen.',
    description: [
      'Virtuelle Maschinen in AWS beziehen Konfiguration und temporäre Zugangsdaten von einem Metadatendienst. In Version 1 genügt eine einfache Anfrage. Version 2 verlangt zuerst ein Token, das mit einer `PUT`-Anfrage und einem besonderen Header abgerufen wird. Die betroffenen Maschinen akzeptieren auch Version 1.',
    ],
    impact: [
      'Hat eine Anwendung auf der Maschine eine Schwachstelle, über die Angreifer Anfragen senden können (Server-Side Request Forgery), oder ist ein Proxy falsch konfiguriert, können sie die Zugangsdaten der Maschine erlangen und deren Rechte in der Cloud-Umgebung von außen nutzen.',
    ],
    reproduction: [
      '1. Führen Sie `aws ec2 describe-instances --query "Reservations[].Instances[].[InstanceId,MetadataOptions.HttpTokens]"` aus.',
      '2. Bei den betroffenen Maschinen wird `optional` angezeigt.',
    ],
    recommendation: [
      '- Erzwingen Sie Version 2: `aws ec2 modify-instance-metadata-options --instance-id ID --http-tokens required`. Prüfen Sie vorher mit der Metrik `MetadataNoToken`, ob Software noch Version 1 nutzt, und aktualisieren Sie diese.',
      '- Setzen Sie den Standard für das Konto sowie in Images, Launch Templates und Infrastructure as Code. Erzwingen Sie ihn mit einer Service Control Policy.',
      '- Setzen Sie das Hop-Limit auf 1, wenn Container den Dienst nicht benötigen, und schalten Sie den Dienst ab, wo er nicht genutzt wird.',
      '- Beschränken Sie die Rechte der Instanzrollen auf das Notwendige.',
    ],
  },
})
