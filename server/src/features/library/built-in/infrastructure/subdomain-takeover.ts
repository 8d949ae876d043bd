import { entry } from '../entry.ts'

export const subdomainTakeover = entry({
  key: 'subdomain-takeover',
  severity: 'high',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:L/A:N',
  cwe: ['CWE-672'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-CONF-10'],
  attack: ['T1584.001'],
  tags: ['infrastructure', 'cloud', 'dns'],
  rules: {
    nuclei: [
      'detect-dangling-cname',
      'azure-takeover-detection',
      'aws-bucket-takeover',
      'bitbucket-takeover',
      'elasticbeanstalk-takeover',
      'ghost-takeover',
      'github-takeover',
      'heroku-takeover',
      'netlify-takeover',
      'pantheon-takeover',
      'readme-takeover',
      'shopify-takeover',
      'surge-takeover',
      'vercel-takeover',
      'webflow-takeover',
      'wordpress-takeover',
      'zendesk-takeover',
    ],
  },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/10-Test_for_Subdomain_Takeover',
    'https://learn.microsoft.com/en-us/azure/security/fundamentals/subdomain-takeover',
    'https://developer.mozilla.org/en-US/docs/Web/Security/Attacks/Subdomain_takeover',
    'https://cwe.mitre.org/data/definitions/672.html',
  ],
  guidance: [
    '- An error page of the provider is only a hint: many providers now require proof of ownership, or no longer give released names to others. Check the current state of the provider.',
    '- Register the name only if that is agreed, with an empty page and no cookies, and hand it over or delete it afterwards.',
    '- Do not forget `NS` and `MX` records that point to expired domains: they are worse.',
    '- Check whether the parent domain sets cookies for all subdomains, or trusts subdomains (CORS, CSP, OAuth). Then raise the severity.',
  ],
  en: {
    title: 'Subdomain can be taken over',
    summary:
      'A DNS record points to a resource of a provider that no longer exists. Attackers can register it and publish content under the name of the organization.',
    description: [
      "The affected name refers to a service of a cloud provider, but the resource behind it was deleted or never created. The provider assigns such names to anyone who requests them. The evidence shows the DNS record and the provider's response.",
    ],
    impact: [
      'Attackers can create the resource themselves and control the subdomain with it. They can publish phishing pages under a trusted name with a valid certificate, in some cases read cookies of the parent domain, and pass security checks that trust the domain.',
    ],
    reproduction: [
      '1. Query the record: `dig +short CNAME SUBDOMAIN`.',
      '2. Open the name in a browser. The provider reports that the resource does not exist.',
    ],
    recommendation: [
      '- Remove the DNS record, or create the resource again in your own account.',
      '- When you retire a service, delete its DNS records first and its resources afterwards. Make this a fixed step of the procedure.',
      '- Check all DNS records regularly for references to resources that no longer exist.',
      '- Use the domain ownership verification that providers offer, and do not set cookies for the whole domain.',
    ],
  },
  de: {
    title: 'Subdomain kann übernommen werden',
    summary:
      'Ein DNS-Eintrag verweist auf eine nicht mehr vorhandene Ressource eines Anbieters. Angreifer können sie registrieren und Inhalte unter dem Namen der Organisation veröffentlichen.',
    description: [
      'Der betroffene Name verweist auf einen Dienst eines Cloud-Anbieters, bei dem die zugehörige Ressource gelöscht oder nie angelegt wurde. Der Anbieter vergibt solche Namen an alle, die sie anfordern. Der Nachweis zeigt den DNS-Eintrag und die Antwort des Anbieters.',
    ],
    impact: [
      'Angreifer können die Ressource selbst anlegen und damit die Subdomain kontrollieren. Sie können unter einem vertrauenswürdigen Namen mit gültigem Zertifikat Phishing-Seiten veröffentlichen, in manchen Fällen Cookies der übergeordneten Domain lesen und Sicherheitsprüfungen bestehen, die der Domain vertrauen.',
    ],
    reproduction: [
      '1. Fragen Sie den Eintrag ab: `dig +short CNAME SUBDOMAIN`.',
      '2. Öffnen Sie den Namen in einem Browser. Der Anbieter meldet, dass die Ressource nicht existiert.',
    ],
    recommendation: [
      '- Entfernen Sie den DNS-Eintrag oder legen Sie die Ressource im eigenen Konto wieder an.',
      '- Löschen Sie beim Abschalten eines Dienstes zuerst die DNS-Einträge und danach die Ressourcen. Machen Sie dies zum festen Bestandteil des Ablaufs.',
      '- Prüfen Sie alle DNS-Einträge regelmäßig auf Verweise zu nicht mehr vorhandenen Ressourcen.',
      '- Nutzen Sie die von Anbietern bereitgestellte Prüfung der Inhaberschaft und setzen Sie keine Cookies für die gesamte Domain.',
    ],
  },
})
