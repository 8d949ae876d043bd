import { entry } from '../entry.ts'

export const publicStorage = entry({
  key: 'public-storage',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cwe: ['CWE-732'],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-CONF-11'],
  attack: ['T1530'],
  tags: ['cloud', 'storage'],
  rules: { nuclei: ['aws-object-listing', 's3-bucket-policy-public-access', 's3-public-read', 's3-public-write'] },
  references: [
    'https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html',
    'https://learn.microsoft.com/en-us/azure/storage/blobs/anonymous-read-access-prevent',
    'https://cloud.google.com/storage/docs/public-access-prevention',
    'https://cwe.mitre.org/data/definitions/732.html',
  ],
  guidance: [
    '- Test without credentials and from outside: list (`aws s3 ls s3://NAME --no-sign-request`) and read a single harmless object.',
    '- Buckets with intended public content (websites, downloads) are not a finding if they contain nothing else. Listing is then low.',
    '- Test writing only with an agreed, clearly named file, and delete it. If writing works, raise integrity in the vector.',
    '- Also check snapshots, machine images, container registries and shared links (SAS).',
  ],
  en: {
    title: 'Cloud storage is publicly accessible',
    summary:
      'Files in cloud storage can be read without signing in. Confidential data is accessible to anyone on the internet.',
    description: [
      'The affected storage (bucket, container or snapshot) is configured so that anyone can list or download its content without signing in. The evidence shows the permissions and examples of the content.',
    ],
    impact: [
      'Attackers find such storage with automated tools that guess names. They can download all data, often without being noticed. If writing is permitted, they can change or delete data, or distribute malware under the name of the organization.',
    ],
    reproduction: [
      '1. List the content without credentials, for example with `aws s3 ls s3://NAME --no-sign-request`, or open the address from the evidence in a browser.',
      '2. The content is displayed and can be downloaded.',
    ],
    recommendation: [
      '- Remove public access from the storage, and grant access to the necessary identities only.',
      '- Switch on the block for public access for the whole account or organization (S3 Block Public Access, "Allow Blob anonymous access" disabled, Public Access Prevention).',
      '- Deliver public content through a content delivery network with a dedicated storage location, and separate it from confidential data.',
      '- Check access logs for downloads. Replace passwords and keys in the files. If personal data was accessible, check whether you have to report it.',
    ],
  },
  de: {
    title: 'Cloud-Speicher ist öffentlich zugänglich',
    summary:
      'Dateien im Cloud-Speicher sind ohne Anmeldung lesbar. Vertrauliche Daten sind für alle im Internet zugänglich.',
    description: [
      'Der betroffene Speicher (Bucket, Container oder Snapshot) ist so konfiguriert, dass alle seinen Inhalt ohne Anmeldung auflisten oder herunterladen können. Der Nachweis zeigt die Berechtigungen und Beispiele des Inhalts.',
    ],
    impact: [
      'Angreifer finden solche Speicher mit automatischen Programmen, die Namen ausprobieren. Sie können alle Daten herunterladen, häufig unbemerkt. Ist das Schreiben erlaubt, können sie Daten verändern oder löschen oder unter dem Namen der Organisation Schadsoftware verbreiten.',
    ],
    reproduction: [
      '1. Listen Sie den Inhalt ohne Zugangsdaten auf, zum Beispiel mit `aws s3 ls s3://NAME --no-sign-request`, oder öffnen Sie die Adresse aus dem Nachweis in einem Browser.',
      '2. Der Inhalt wird angezeigt und lässt sich herunterladen.',
    ],
    recommendation: [
      '- Entfernen Sie den öffentlichen Zugriff auf den Speicher und gewähren Sie nur den notwendigen Identitäten Zugriff.',
      '- Schalten Sie die Sperre für öffentlichen Zugriff für das gesamte Konto oder die Organisation ein (S3 Block Public Access, „Anonymen Blobzugriff zulassen“ deaktiviert, Public Access Prevention).',
      '- Liefern Sie öffentliche Inhalte über ein Content Delivery Network mit Zugriff auf einen eigenen Speicher aus und trennen Sie sie von vertraulichen Daten.',
      '- Prüfen Sie die Zugriffsprotokolle auf Downloads. Ersetzen Sie Passwörter und Schlüssel in den Dateien und prüfen Sie Meldepflichten, falls personenbezogene Daten zugänglich waren.',
    ],
  },
})
