import { entry } from '../entry.ts'

export const cloudNetworkOpen = entry({
  key: 'cloud-network-open',
  severity: 'medium',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:L',
  cwe: ['CWE-284'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: [],
  attack: ['T1133', 'T1190'],
  tags: ['cloud', 'network'],
  rules: {
    nuclei: [
      'ec2-unrestricted-cifs',
      'ec2-unrestricted-ftp',
      'ec2-unrestricted-memcached',
      'ec2-unrestricted-mongodb',
      'ec2-unrestricted-mssql',
      'ec2-unrestricted-mysql',
      'ec2-unrestricted-netbios',
      'ec2-unrestricted-opensearch',
      'ec2-unrestricted-oracle',
      'ec2-unrestricted-pgsql',
      'ec2-unrestricted-rdp',
      'ec2-unrestricted-redis',
      'ec2-unrestricted-ssh',
      'ec2-unrestricted-telnet',
    ],
  },
  references: [
    'https://docs.aws.amazon.com/vpc/latest/userguide/vpc-security-groups.html',
    'https://learn.microsoft.com/en-us/azure/defender-for-cloud/just-in-time-access-usage',
    'https://cloud.google.com/iap/docs/using-tcp-forwarding',
    'https://cwe.mitre.org/data/definitions/284.html',
  ],
  guidance: [
    '- A rule is only effective if it is attached to a resource with a public address and no other filter blocks it. Confirm with a port scan from outside.',
    '- Web ports of public applications are intended.',
    '- Unused groups are informational, but list them for clean-up.',
    '- State the port, source range and resource, and check IPv6 (`::/0`) too.',
  ],
  en: {
    title: 'Cloud firewall rules permit access from the whole internet',
    summary:
      'Firewall rules permit connections from any address to administrative services or databases. Attackers can reach these services directly.',
    description: [
      'The affected security groups or firewall rules permit incoming connections from every address (`0.0.0.0/0` or `::/0`) to ports that are not intended for the public, such as SSH, RDP or databases. The evidence lists the rules and resources.',
    ],
    impact: [
      'Exposed administrative services and databases are found and attacked within a short time. A weak password or a new vulnerability is sufficient for attackers to obtain access to the system and its data.',
    ],
    reproduction: [
      '1. Display the rules, for example with `aws ec2 describe-security-groups`.',
      '2. They permit the source `0.0.0.0/0` or `::/0` for the ports from the evidence.',
      '3. A connection to the port from the internet succeeds.',
    ],
    recommendation: [
      '- Limit the sources to the necessary addresses, or to other security groups.',
      '- Use the services of the provider for administration (Session Manager, Azure Bastion, Identity-Aware Proxy) or a VPN. No port then has to be open to the internet.',
      '- Place databases in private subnets without public addresses.',
      '- Define rules in infrastructure code, check them before deployment, and raise an alarm for open rules with the tools of the provider.',
    ],
  },
  de: {
    title: 'Netzwerkregeln in der Cloud erlauben Zugriff aus dem gesamten Internet',
    summary:
      'Firewall-Regeln erlauben Verbindungen von allen Adressen zu Diensten für Administration oder Daten. Angreifer können diese Dienste direkt erreichen.',
    description: [
      'Die betroffenen Sicherheitsgruppen oder Firewall-Regeln erlauben eingehende Verbindungen von jeder Adresse (`0.0.0.0/0` oder `::/0`) zu Ports, die nicht für die Öffentlichkeit bestimmt sind, etwa SSH, RDP oder Datenbanken. Der Nachweis führt Regeln und Ressourcen auf.',
    ],
    impact: [
      'Dienste für Administration und Daten werden binnen kurzer Zeit gefunden und angegriffen. Ein schwaches Passwort oder eine neue Schwachstelle genügt Angreifern, um Zugriff auf das System und dessen Daten zu erlangen.',
    ],
    reproduction: [
      '1. Zeigen Sie die Regeln an, zum Beispiel mit `aws ec2 describe-security-groups`.',
      '2. Sie erlauben für die Ports aus dem Nachweis die Quelle `0.0.0.0/0` oder `::/0`.',
      '3. Eine Verbindung aus dem Internet zu dem Port gelingt.',
    ],
    recommendation: [
      '- Beschränken Sie die Quellen auf die notwendigen Adressen oder auf andere Sicherheitsgruppen.',
      '- Verwenden Sie für die Administration Dienste des Anbieters (Session Manager, Azure Bastion, Identity-Aware Proxy) oder ein VPN. Dann muss kein Port zum Internet geöffnet sein.',
      '- Legen Sie Datenbanken in private Subnetze ohne öffentliche Adressen.',
      '- Definieren Sie Regeln als Code (Infrastructure as Code), prüfen Sie sie vor der Bereitstellung und lassen Sie offene Regeln mit den Werkzeugen des Anbieters einen Alarm auslösen.',
    ],
  },
})
