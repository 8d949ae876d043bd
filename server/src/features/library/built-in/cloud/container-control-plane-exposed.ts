import { entry } from '../entry.ts'

export const containerControlPlaneExposed = entry({
  key: 'container-control-plane-exposed',
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H',
  cwe: ['CWE-306'],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: [],
  attack: ['T1610', 'T1609', 'T1613'],
  tags: ['cloud', 'containers', 'kubernetes', 'docker'],
  rules: { nuclei: ['exposed-dockerd', 'kubernetes-pods-api', 'unauth-etcd-server'] },
  references: [
    'https://docs.docker.com/engine/security/protect-access/',
    'https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/',
    'https://kubernetes.io/docs/tasks/administer-cluster/securing-a-cluster/',
    'https://cwe.mitre.org/data/definitions/306.html',
  ],
  guidance: [
    '- Confirm with reading calls: `curl http://HOST:2375/version`, `curl -k https://HOST:10250/pods`, `etcdctl get / --prefix --keys-only --limit 5`.',
    '- `/version` and `/healthz` of the Kubernetes API are public by default and not a finding. Status 401 or 403 means that access is protected.',
    '- Do not start containers and do not run commands in pods without explicit consent.',
    '- The read-only port of the kubelet (10255) permits reading only: high instead of critical.',
  ],
  en: {
    title: 'Container management API is accessible without authentication',
    summary:
      'APIs for managing containers can be used without signing in. Attackers can take over the hosts and everything that runs on them.',
    description: [
      'The affected systems provide an API for managing containers over the network without authentication: that of the Docker daemon, of the kubelet of a Kubernetes node, or of the etcd database of a cluster. The evidence shows a response.',
    ],
    impact: [
      'Anyone who can reach it can start containers with access to the file system of the host, run commands in running containers, and read passwords and keys. This gives control of the hosts, and in a cluster of all applications and their data. Attackers scan for such APIs automatically, for example to run cryptocurrency miners.',
    ],
    reproduction: [
      '1. Call the interface without credentials, for example with `curl http://HOST:2375/version` or `curl -k https://HOST:10250/pods`.',
      '2. It returns details of the system or the running containers.',
    ],
    recommendation: [
      '- Immediately block access to these APIs from untrusted networks.',
      '- Docker: do not open the API over the network. Use SSH, or TLS with client certificates.',
      '- Kubernetes: set `--anonymous-auth=false` and `--authorization-mode=Webhook` for the kubelet, and switch off port 10255.',
      '- etcd: permit access only from the API server, with client certificates, and encrypt secrets at rest.',
      '- Check hosts and clusters for unknown containers, and replace all secrets stored there. If there are signs of an attack, rebuild the hosts.',
    ],
  },
  de: {
    title: 'Steuerungsschnittstelle für Container ist ohne Authentifizierung erreichbar',
    summary:
      'Schnittstellen zur Verwaltung von Containern lassen sich ohne Anmeldung nutzen. Angreifer können die Hosts und alles, was darauf läuft, übernehmen.',
    description: [
      'Die betroffenen Systeme stellen eine Schnittstelle zur Verwaltung von Containern ohne Authentifizierung im Netzwerk bereit: die API des Docker-Daemons, das Kubelet eines Kubernetes-Knotens oder die Datenbank etcd eines Clusters. Der Nachweis zeigt eine Antwort der Schnittstelle.',
    ],
    impact: [
      'Alle, die die Schnittstelle erreichen, können Container mit Zugriff auf das Dateisystem des Hosts starten, Befehle in laufenden Containern ausführen und Passwörter und Schlüssel auslesen. Das bedeutet die Kontrolle über die Hosts und in einem Cluster über alle Anwendungen und deren Daten. Angreifer suchen automatisiert nach solchen Schnittstellen, zum Beispiel um Kryptowährungen zu schürfen.',
    ],
    reproduction: [
      '1. Rufen Sie die Schnittstelle ohne Zugangsdaten auf, zum Beispiel mit `curl http://HOST:2375/version` oder `curl -k https://HOST:10250/pods`.',
      '2. Sie liefert Angaben zum System oder zu den laufenden Containern.',
    ],
    recommendation: [
      '- Sperren Sie den Zugriff auf die Schnittstellen aus nicht vertrauenswürdigen Netzen umgehend.',
      '- Docker: Öffnen Sie die API nicht über das Netzwerk. Verwenden Sie SSH oder TLS mit Client-Zertifikaten.',
      '- Kubernetes: Setzen Sie für das Kubelet `--anonymous-auth=false` und `--authorization-mode=Webhook` und schalten Sie Port 10255 ab.',
      '- etcd: Erlauben Sie den Zugriff nur vom API-Server mit Client-Zertifikaten und verschlüsseln Sie gespeicherte Secrets.',
      '- Prüfen Sie Hosts und Cluster auf unbekannte Container und ersetzen Sie alle dort gespeicherten Geheimnisse. Setzen Sie die Hosts bei Anzeichen für einen Angriff neu auf.',
    ],
  },
})
