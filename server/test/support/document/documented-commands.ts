/**
 * Replacements in a documented text before it is run, so that nothing outside of the test is touched; each must occur.
 */
type Replacements = readonly (readonly [documented: string, run: string])[]

/**
 * The environment of a command. `server`: on an instance whose server runs. `stopped`: on the same instance, with the
 * server stopped afterwards. `restored`: on separate empty directories. In the order of this list, and within one in
 * that of the documents.
 */
export const SCENES = ['server', 'stopped', 'restored'] as const

/** The treatment of a command or a block of settings that a document shows. */
export type Decision =
  /**
   * Run by documented-commands.test.ts. In replacements, `$SCRATCH`, `$ORIGIN`, `$SLUG` and `$EMAIL` are of the
   * instance.
   */
  | {
      run: (typeof SCENES)[number]
      replace?: Replacements
      env?: Readonly<Record<string, string>>
      status?: number
      output?: RegExp
    }
  /** A file of settings: parsed as the server does. @property also settings that it needs from other blocks */
  | { settings: Readonly<Record<string, string>>; also?: Readonly<Record<string, string>> }
  /** Another test runs it. @property proof a text of that file that does so */
  | { testedBy: string; proof: string }
  /** Not run; its syntax is checked. */
  | { notRun: string }

const SECRET = 'a-secret-of-this-test-that-is-long-enough'
const PASSWORD = 'a password of this test'
const WORKOS = {
  AUTH_PROVIDER: 'workos',
  WORKOS_API_KEY: 'sk_test_x',
  WORKOS_CLIENT_ID: 'client_x',
  WORKOS_WEBHOOK_SECRET: 'whsec_of_x',
}
/** The test of this document runs all of its blocks, in their order. */
const IN_WEBHOOKS_DOCUMENT: Decision = {
  testedBy: 'server/test/faults/operator/webhooks-document.curl.test.ts',
  proof: 'docs/webhooks.md',
}
const WEBHOOK_COMMANDS = [
  'BASE=https://sortie.example.com KEY=svc_live_...',
  `curl -s $BASE/api/v1/webhook-endpoints -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
  "ENDPOINT=$(grep -o 'whe_[0-9a-z]*' webhook.json | head -1)",
  'curl -s -X PATCH $BASE/api/v1/webhook-endpoints/$ENDPOINT -H "Authorization: Bearer $KEY" \\',
  "export WEBHOOK_SECRET=$(grep -o 'whsec_[A-Za-z0-9+/]*=*' webhook.json)",
  'curl -s "$BASE/api/v1/webhook-deliveries?endpointId=$ENDPOINT&state=pending,failed" -H "Authorization: Bearer $KEY"',
  'DELIVERY=$(curl -s "$BASE/api/v1/webhook-deliveries?endpointId=$ENDPOINT" -H "Authorization: Bearer $KEY" \\',
  'curl -s -X POST $BASE/api/v1/webhook-endpoints/$ENDPOINT/rotate-secret -H "Authorization: Bearer $KEY"',
  'curl -s -X DELETE $BASE/api/v1/webhook-endpoints/$ENDPOINT -H "Authorization: Bearer $KEY"',
]
/** Run one after the other, on a machine of a tester. */
const IN_CLI = { testedBy: 'server/test/cli/documented.curl.test.ts', proof: "DOCUMENT = 'docs/cli.md'" }
/** Builds the image and does in it what these commands do. */
const NEEDS_ENGINE = 'needs a container engine; image.test.ts runs the image, and its commands in it'
const NEEDS_CLUSTER = 'needs a cluster; kubernetes.test.ts checks the manifests'
const RELEASE: Decision = { testedBy: 'server/test/image/release.test.ts', proof: "'release', '--', '--out'" }
const INIT: Decision = {
  testedBy: 'server/test/architecture/deploy/containers.test.ts',
  proof: "['server/dist/operator.js', 'init', ...args]",
}
const ACCOUNTS_TEST = 'server/test/faults/doctor/disabled-accounts.test.ts'
const NEEDS_SYSTEMD = 'needs systemd and a service of this name'

/**
 * Every command and every block of settings of the operator's documents, by document and by its first line. A test
 * fails for one that is not listed, and for an entry that no document shows.
 */
export const DECISIONS: Readonly<Record<string, Readonly<Record<string, Decision>>>> = {
  'README.md': {
    'npm start': { testedBy: 'server/test/faults/operator/launcher.test.ts', proof: "script: 'scripts/start.mjs'" },
    'npm test': { notRun: 'it runs this test' },
    "BASE=http://localhost:3001 JAR=$(mktemp) PASSWORD=$(sed -n 's/^ADMIN_PASSWORD=//p' .env)": {
      testedBy: 'server/test/faults/operator/readme.curl.test.ts',
      proof: 'README.md',
    },
    'npm run dev': { testedBy: 'server/test/faults/operator/dev.test.ts', proof: "'scripts/dev.mjs'" },
    'npm run build': { testedBy: 'scripts/test.mjs', proof: "['npm', 'run', '--silent', 'build']" },
    'npm run test:nightly': { notRun: 'takes an hour' },
    'npm run test:soak': { notRun: 'takes hours' },
    'npm run bench': { notRun: 'takes the whole machine for minutes' },
    'npm run target -- L5': { notRun: 'takes the whole machine for minutes' },
    'npm run demo': { notRun: 'makes a server with data in the checkout, on the port of the settings' },
    'npm run screenshots': { notRun: 'takes minutes of a browser' },
    'npm run operator -- <command>': {
      run: 'server',
      replace: [['<command>', 'help']],
      output: /create-user <email> <name>/,
    },
    'npm run sortie -- <command>': {
      testedBy: 'server/test/faults/operator/operator-checkout.test.ts',
      proof: "'--silent', 'sortie', '--'",
    },
    'npm run openapi': { testedBy: 'server/test/architecture/documents/documents.test.ts', proof: 'GENERATED_FILES' },
    'npm run db:types': { testedBy: 'server/test/architecture/database-types.test.ts', proof: 'generateDatabaseTypes' },
    'npm run request-path': { notRun: 'starts a server under an inspector for a quarter of a minute' },
    'npm run sbom': { run: 'server', output: /"bomFormat": ?"CycloneDX"/ },
    'npm run release': RELEASE,
    'npm run lock': { notRun: 'asks the package registry' },
  },
  'docs/cli.md': {
    'curl -fsSo sortie.mjs https://sortie.example/api/cli': IN_CLI,
    'node sortie.mjs login --key < key': IN_CLI,
    'sortie upload perimeter.xml': IN_CLI,
    'sortie request run req_01jd7w2v4pf1y8m3c6k9t0r5xz --env staging': IN_CLI,
    'timeout 3 sortie watch --json || [ $? -eq 124 ]': IN_CLI,
    'mkdir -p ~/.local/bin': IN_CLI,
    'sortie engagements list': IN_CLI,
    'sortie check 203.0.113.5 https://shop.contoso.example/': IN_CLI,
    'sortie run -- nmap -sT -p 443 203.0.113.5': IN_CLI,
    'sortie sync --list': IN_CLI,
    'sortie import perimeter.xml': IN_CLI,
    'sortie targets list': IN_CLI,
    'echo \'{"title": "Check the VPN"}\' | sortie tasks create': IN_CLI,
    'sortie import --fail-on critical scan.sarif': IN_CLI,
    'sortie completion bash > ~/.local/share/sortie-completion.bash': IN_CLI,
  },
  'CONTRIBUTING.md': {
    'npm run dev': { testedBy: 'server/test/faults/operator/dev.test.ts', proof: "'scripts/dev.mjs'" },
    'git config core.hooksPath .githooks': {
      testedBy: 'server/test/faults/operator/pre-commit.test.ts',
      proof: 'core.hooksPath',
    },
    'npm test -- --changed': { testedBy: 'server/test/architecture/changed.test.ts', proof: 'chooseTests' },
    'npm test': { notRun: 'it runs this test' },
  },
  'docs/development.md': {
    'npm run screenshots': { notRun: 'takes minutes of a browser' },
    'npm run dev -- --demo': { testedBy: 'server/test/faults/operator/dev.test.ts', proof: "'--demo'" },
    'npm run dev -- --inspect': { testedBy: 'server/test/faults/operator/dev.test.ts', proof: "'--inspect'" },
    'npx vitest run --project api --inspect-brk --no-file-parallelism wiki-merge': {
      notRun: 'it waits for a debugger',
    },
    'npx vitest run --project api wiki-merge': { notRun: 'a run of tests within one shares its Postgres' },
    'npx playwright test -c e2e/playwright.config.ts wiki-text': { notRun: 'takes a browser, and a screen' },
    'npm test -- --changed': { testedBy: 'server/test/architecture/changed.test.ts', proof: 'chooseTests' },
    'psql -h "$PWD/data/dev/postgres" -U sortie sortie': { notRun: 'waits for statements, and needs npm run dev' },
    'npm run build': { notRun: 'the server that it profiles runs until Ctrl-C' },
  },
  'docs/platform/egress.md': {
    'for range in 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 168.63.129.16/32 172.16.0.0/12 192.168.0.0/16; do': {
      testedBy: 'server/test/support/ways-out/request-canaries.ts',
      proof: 'for range in',
    },
    'REQUESTS_BY=workers npm run operator -- worker --only requests': {
      testedBy: 'server/test/support/ways-out/worker-canaries.ts',
      proof: "'worker', '--only', 'requests'",
    },
    'for family in -4 -6; do ip $family rule add pref 10 lookup local; ip $family rule del pref 0; done': {
      testedBy: 'server/test/support/ways-out/worker-canaries.ts',
      proof: 'for family in -4 -6',
    },
    'npm run operator -- egress intranet.example.com:443': {
      run: 'server',
      replace: [['intranet.example.com', '10.1.2.3']],
      status: 1,
      output: /^refused: not public \(private\) and not in EGRESS_ALLOW$/m,
    },
  },
  'docs/webhooks.md': {
    ...Object.fromEntries(WEBHOOK_COMMANDS.map((key) => [key, IN_WEBHOOKS_DOCUMENT])),
    'npm install standardwebhooks': { notRun: 'asks the package registry' },
  },
  'docs/mcp.md': {
    'BASE=https://sortie.example SORTIE_KEY=svc_live_...': {
      testedBy: 'server/test/cli/mcp.curl.test.ts',
      proof: "DOCUMENT = 'docs/mcp.md'",
    },
    'npx @modelcontextprotocol/inspector@2.12.0 --cli $BASE/api/mcp --transport http --method tools/list \\': {
      notRun: 'asks the package registry, and needs a newer Node than the server',
    },
  },
  'docs/operating/audit.md': {
    'BASE=https://sortie.example.com KEY=svc_live_... LOG=audit-log.jsonl': {
      testedBy: 'server/test/api/audit/audit-logs.curl.test.ts',
      proof: 'docs/operating/audit.md',
    },
  },
  'docs/operating/containers.md': {
    'SOURCE_COMMIT=$(git rev-parse HEAD) docker compose build app': { notRun: NEEDS_ENGINE },
    'docker compose run --rm --no-deps --user "$(id -u):$(id -g)" --volume "$PWD:/settings" app \\': {
      notRun: NEEDS_ENGINE,
    },
    'docker compose up --detach --wait': { notRun: NEEDS_ENGINE },
    "grep '^ADMIN_' .env": { notRun: 'reads a file that init makes' },
    'docker compose exec app operator doctor': { notRun: NEEDS_ENGINE },
    'docker compose exec app operator check-config': { notRun: NEEDS_ENGINE },
    'docker compose exec app ls /backups': { notRun: NEEDS_ENGINE },
    'docker compose down': { notRun: NEEDS_ENGINE },
    'docker compose run --rm --no-deps --user 0:0 --cap-add CHOWN --cap-add DAC_OVERRIDE \\': { notRun: NEEDS_ENGINE },
    'docker compose exec app operator backup /backups/before-upgrade': { notRun: NEEDS_ENGINE },
    'docker build --tag sortie:local --build-arg SOURCE_COMMIT=$(git rev-parse HEAD) .': { notRun: NEEDS_ENGINE },
    'docker buildx build --platform linux/amd64,linux/arm64 --build-arg SOURCE_COMMIT=$(git rev-parse HEAD) \\': {
      notRun: NEEDS_ENGINE,
    },
    "grep -n -A 2 'EDIT' deploy/kubernetes/*.yaml": { run: 'server', output: /network-policies\.yaml/ },
    'npm run operator -- init secrets.env --url https://sortie.example.com --email you@example.com': {
      run: 'server',
      replace: [['secrets.env', '$SCRATCH/secrets.env']],
      output: /has the settings/,
    },
    'kubectl apply --filename deploy/kubernetes/settings.yaml': { notRun: NEEDS_CLUSTER },
    'kubectl --namespace sortie create job --from=cronjob/backup before-upgrade': { notRun: NEEDS_CLUSTER },
  },
  'docs/operating/systemd.md': {
    'npm run release': RELEASE,
    'sha256sum --check sortie-0.2.0-linux-x64.tar.gz.sha256': {
      notRun: 'needs root and systemd; release.test.ts unpacks and starts a release, units.test.ts verifies the units',
    },
    'cd /opt/sortie': { notRun: NEEDS_SYSTEMD },
    'systemctl stop sortie sortie-worker': { notRun: NEEDS_SYSTEMD },
    "echo 'SORTIE_ROLE=api' >> /etc/sortie/env": { notRun: NEEDS_SYSTEMD },
    'systemctl start sortie-backup': { notRun: NEEDS_SYSTEMD },
  },
  'docs/operating/doctor.md': {
    'npm run operator -- doctor': { run: 'server', status: 1, output: /^problem +session-secret /m },
  },
  'docs/operating.md': {
    'init <file>': INIT,
    'create-user <email> <name>': {
      run: 'server',
      replace: [['<email> <name>', '$EMAIL "Doc Umentation"']],
      output: /^Password: \S+$/m,
    },
    'create-organization <name> <email>': {
      run: 'server',
      replace: [['<name> <email>', 'Northwind $EMAIL']],
      output: /Northwind \(northwind\) belongs to/,
    },
    'reset-password <email>': { run: 'server', replace: [['<email>', '$EMAIL']], output: /^Password: \S+$/m },
    'reset-second-factor <email>': { run: 'server', replace: [['<email>', '$EMAIL']] },
    'grant-admin <email>': { run: 'server', replace: [['<email>', '$EMAIL']], output: /administers the instance/ },
    'revoke-admin <email>': { run: 'server', replace: [['<email>', '$EMAIL']], output: /no longer administers/ },
    'link-billing-customer <slug> <customer id>': {
      run: 'server',
      replace: [['<slug> <customer id>', '$SLUG cus_of_this_test']],
      output: /^cus_of_this_test pays for/m,
    },
    'list-accounts': { run: 'server', output: /^admin@example\.com {2}/m },
    'list-accounts --json': { run: 'server', output: /"email":"admin@example\.com"/ },
    'disable-account <email>': {
      testedBy: 'server/test/faults/doctor/disabled-accounts.test.ts',
      proof: "'disable-account'",
    },
    'enable-account <email>': {
      testedBy: 'server/test/faults/doctor/disabled-accounts.test.ts',
      proof: "'enable-account'",
    },
    'unlink-billing-customer <slug>': { run: 'server', replace: [['<slug>', '$SLUG']] },
    'link-directory <slug> <organization id at WorkOS>': {
      run: 'server',
      replace: [['<slug> <organization id at WorkOS>', '$SLUG org_01HXYZ0000000001']],
      env: WORKOS,
      output: /is org_01HXYZ0000000001/,
    },
    'unlink-directory <slug>': { run: 'server', replace: [['<slug>', '$SLUG']], env: WORKOS },
    'switch-sso-off <slug>': { run: 'server', replace: [['<slug>', '$SLUG']], output: /single sign-on|opens/ },
    'backup <new directory>': {
      run: 'server',
      replace: [['<new directory>', '$SCRATCH/backup']],
      output: /SESSION_SECRET is not in it/,
    },
    'backup <directory> --keep <number>': {
      testedBy: 'server/test/faults/backup/backup-rotation.test.ts',
      proof: "backup(directory, '--keep', '3'",
    },
    'verify <backup>': { run: 'stopped', replace: [['<backup>', '$SCRATCH/backup']], output: /is whole/ },
    'restore <backup> --rekey': {
      run: 'restored',
      replace: [['<backup>', '$SCRATCH/backup']],
      output: /^Ended: \d+ API keys/m,
    },
    '--keep-keys': {
      testedBy: 'server/test/faults/portable/restore.test.ts',
      proof: "['restore', backup, '--keep-keys']",
    },
    rekey: { run: 'stopped', output: /^Ended: \d+ API keys/m },
    'rekey --keep-keys': { run: 'stopped', output: /WORK AGAIN/ },
    'go-live': { testedBy: 'server/test/faults/portable/safe-mode.test.ts', proof: "'go-live'" },
    'go-live --send-waiting-mail': { testedBy: 'server/test/faults/portable/safe-mode.test.ts', proof: "'go-live'" },
    'bind-storage': { run: 'stopped' },
    'bind-storage --confirm': { run: 'stopped' },
    'move-storage --to <url>': {
      testedBy: 'server/test/faults/storage/move-storage.test.ts',
      proof: "'move-storage', '--to', to.url",
    },
    'move-storage --to <url> --confirm': {
      testedBy: 'server/test/faults/storage/move-storage.test.ts',
      proof: "'move-storage', '--to', to.url",
    },
    'clean-storage': { run: 'stopped' },
    'clean-storage --confirm': {
      notRun:
        'is refused in safe mode, in which this instance is after `rekey`; storage-cleaning.test.ts confirms a cleaning',
    },
    'egress <address or name>[:port]': {
      run: 'server',
      replace: [['<address or name>[:port]', '192.0.2.1:443']],
      status: 1,
      output: /^refused: /,
    },
    doctor: { run: 'server', status: 1, output: /^problem +session-secret /m },
    'doctor --json': { run: 'server', status: 1, output: /"name": "session-secret"/ },
    'check-config': { run: 'server', output: /^SESSION_SECRET +\*{8}$/m },
    decisions: { run: 'server', output: /^36\. /m },
    'node_modules/.bin/node server/dist/main.js': {
      testedBy: 'server/test/support/app/server-process.ts',
      proof: "script = 'server/dist/main.js'",
    },
  },
  'docs/operating/access/integrations.md': {
    'SMTP_URL=smtp://user:password@mail.example.com:587      # STARTTLS where the server offers it': { settings: {} },
    'BILLING_PROVIDER=stripe': { settings: { BILLING_WEBHOOK_SECRET: SECRET } },
    'npm run operator -- link-billing-customer northwind-security cus_QXg1o2F3h4J5k6': {
      run: 'server',
      replace: [['northwind-security', '$SLUG']],
    },
    'CODE_HOSTING_WEBHOOK_SECRET=...        # openssl rand -hex 32': {
      settings: { CODE_HOSTING_WEBHOOK_SECRET: SECRET },
    },
    'API_V1_DEPRECATED_AT=2027-06-30T00:00:00Z': { settings: {} },
  },
  'docs/operating/access/proxy.md': {
    'FRONTEND_URL=https://sortie.example.com': { settings: { ADMIN_PASSWORD: PASSWORD } },
  },
  'docs/operating/access/sign-in.md': {
    'AUTH_PROVIDER=oidc': { settings: { OIDC_CLIENT_ID: 'client', OIDC_CLIENT_SECRET: SECRET } },
    'AUTH_PROVIDER=workos': {
      settings: { WORKOS_API_KEY: 'sk_test_x', WORKOS_CLIENT_ID: 'client_x', WORKOS_WEBHOOK_SECRET: SECRET },
    },
    'npm run operator -- link-directory northwind-security org_01HXYZ...': {
      run: 'server',
      replace: [
        ['northwind-security', '$SLUG'],
        ['org_01HXYZ...', 'org_01HXYZ0000000002'],
      ],
      env: WORKOS,
    },
  },
  'docs/operating/database/backup.md': {
    'npm run operator -- backup /srv/backups/sortie-2027-01-31': {
      testedBy: 'server/test/faults/portable/restore.test.ts',
      proof: "['restore', backup, '--keep-keys']",
    },
    'install -d -o sortie -g sortie -m 700 /var/backups/sortie': {
      notRun: 'needs root, systemd and the account sortie; backup-unit.test.ts verifies the units',
    },
    'export ENV_FILE= PORT=3999 SESSION_SECRET=...': {
      testedBy: 'server/test/faults/portable/portable-backup.test.ts',
      proof: "'restore'",
    },
    'systemctl stop sortie': { notRun: NEEDS_SYSTEMD },
  },
  'docs/operating/database/postgres.md': {
    'npm run operator -- backup /srv/backups/sortie-move --portable': {
      testedBy: 'server/test/faults/portable/portable-backup.test.ts',
      proof: "'restore'",
    },
  },
  'docs/operating/database/safe-mode.md': {
    'npm run operator -- go-live': { testedBy: 'server/test/faults/portable/safe-mode.test.ts', proof: "'go-live'" },
  },
  'docs/operating/scale/processes.md': {
    'DATABASE_URL=postgres://...': { settings: { DATABASE_URL: 'postgres://localhost/sortie' } },
    'for port in 3001 3002; do': { notRun: NEEDS_SYSTEMD },
  },
  // After the commands that make this account and its organization.
  'docs/operating/accounts.md': {
    'npm run operator -- list-accounts': { run: 'server', output: /^admin@example\.com {2}/m },
    'change-address <email> <new email>': {
      run: 'server',
      replace: [['<email> <new email>', '$EMAIL moved@example.com']],
      output: /^documented@example\.com signs in as moved@example\.com now/m,
    },
    'transfer-ownership <slug> <email>': { testedBy: ACCOUNTS_TEST, proof: "'transfer-ownership'" },
    'remove-organization <slug>': { testedBy: ACCOUNTS_TEST, proof: "'remove-organization'" },
    'remove-organization <slug> --yes': {
      run: 'server',
      replace: [['<slug>', 'northwind']],
      output: /^After the removal there are 0 rows in 0 tables, and 0 stored files\.$/m,
    },
    'delete-account <email>': { testedBy: ACCOUNTS_TEST, proof: "'delete-account'" },
    'delete-account <email> --yes': {
      run: 'server',
      replace: [['<email>', 'moved@example.com']],
      output: /^The account of moved@example\.com is deleted/m,
    },
  },
}
