import type { Chapter } from './chapter.ts'

/** From information gathering to session management. */
export const CHAPTERS_1_TO_6: readonly Chapter[] = [
  [
    'INFO',
    'Information Gathering',
    '01-Information_Gathering',
    [
      [
        'Conduct Search Engine Discovery Reconnaissance for Information Leakage',
        'Search engines, code hosts, paste sites and web archives for documents, keys, old pages and names of the target.',
      ],
      [
        'Fingerprint Web Server',
        'Product and version from banners, header order, error pages and answers to malformed requests.',
      ],
      [
        'Review Webserver Metafiles for Information Leakage',
        '`robots.txt`, `sitemap.xml`, `security.txt`, `.well-known` and `meta` tags: paths and people that should not be listed.',
      ],
      [
        'Enumerate Applications on Webserver',
        'Other applications on the same address: ports, paths, virtual hosts, names in certificates and DNS.',
      ],
      [
        'Review Webpage Content for Information Leakage',
        'Comments, scripts, source maps and inline configuration: keys, internal hosts, hidden parameters.',
      ],
      [
        'Identify Application Entry Points',
        'List every parameter, header, cookie, upload and method that the server reads, with the role that may send it.',
      ],
      [
        'Map Execution Paths Through Application',
        'Walk each function once with every role; note branches and what remains unvisited.',
      ],
      [
        'Fingerprint Web Application Framework',
        'Framework and version from cookies, headers, paths and file names. Compare with published vulnerabilities.',
      ],
      [
        'Fingerprint Web Application',
        'Known product, plug-ins and their versions, from file hashes, paths and generator tags.',
      ],
      [
        'Map Application Architecture',
        'Proxies, firewalls, caches, back ends and identity providers between the browser and the data.',
      ],
    ],
  ],
  [
    'CONF',
    'Configuration and Deployment Management Testing',
    '02-Configuration_and_Deployment_Management_Testing',
    [
      [
        'Test Network Infrastructure Configuration',
        'Supporting systems: administration ports, known vulnerabilities, default services, separation from the internet.',
      ],
      [
        'Test Application Platform Configuration',
        "Sample files, debug modes, verbose errors, logging, and the rights of the server's account.",
      ],
      [
        'Test File Extensions Handling for Sensitive Information',
        'Request `.bak`, `.inc`, `.config`, `.old` and similar: is source or configuration delivered as text?',
      ],
      [
        'Review Old Backup and Unreferenced Files for Sensitive Information',
        'Guess archives, editor copies, repositories (`.git`) and dumps next to each known path.',
      ],
      [
        'Enumerate Infrastructure and Application Admin Interfaces',
        'Find consoles and admin paths; check who reaches them and with which credentials.',
      ],
      ['Test HTTP Methods', 'Which methods each path accepts. Try `PUT`, `DELETE`, `TRACE` and method overrides.'],
      [
        'Test HTTP Strict Transport Security',
        'The header on every HTTPS answer: long `max-age`, subdomains, and a redirect from HTTP.',
      ],
      [
        'Test RIA Cross Domain Policy',
        '`crossdomain.xml` and `clientaccesspolicy.xml`: no wildcard, and no policy without need.',
      ],
      [
        'Test File Permission',
        'Rights of configuration, keys, logs and uploads on the server, if you have access to it.',
      ],
      [
        'Test for Subdomain Takeover',
        'DNS records that point to released cloud resources or services that anyone can register.',
      ],
      [
        'Test Cloud Storage',
        'Buckets and containers of the application: listing, reading and writing without credentials.',
      ],
    ],
  ],
  [
    'IDNT',
    'Identity Management Testing',
    '03-Identity_Management_Testing',
    [
      [
        'Test Role Definitions',
        'List roles and what each may do; check that the application has no role with more rights than stated.',
      ],
      [
        'Test User Registration Process',
        'Who can register, how identity is proven, and whether one person can get several accounts or a higher role.',
      ],
      [
        'Test Account Provisioning Process',
        'Who creates, changes and removes accounts, and whether an administrator can create one above themselves.',
      ],
      [
        'Testing for Account Enumeration and Guessable User Account',
        'Compare text, status and timing for known and unknown names at sign-in, reset and registration.',
      ],
      [
        'Testing for Weak or Unenforced Username Policy',
        'Names that follow a pattern, look alike, or differ only in case, blanks or Unicode.',
      ],
    ],
  ],
  [
    'ATHN',
    'Authentication Testing',
    '04-Authentication_Testing',
    [
      [
        'Testing for Credentials Transported over an Encrypted Channel',
        'Sign-in, reset and session traffic only over TLS, also in redirects and third-party calls.',
      ],
      [
        'Testing for Default Credentials',
        'Vendor, test and example accounts, and initial passwords that follow a rule.',
      ],
      [
        'Testing for Weak Lock Out Mechanism',
        'Guess passwords for one account and one password for many; check the lock, its length and how it is lifted.',
      ],
      [
        'Testing for Bypassing Authentication Schema',
        'Request protected pages directly, change parameters and tokens, replay steps out of order.',
      ],
      [
        'Testing for Vulnerable Remember Password',
        'What a stay-signed-in cookie contains, how long it is valid, and whether it ends with a password change.',
      ],
      [
        'Testing for Browser Cache Weaknesses',
        'Back after sign-out, `Cache-Control` of sensitive pages, data on disk.',
      ],
      [
        'Testing for Weak Password Policy',
        'Minimum length, common and leaked passwords, reuse, and the same rules on every path.',
      ],
      [
        'Testing for Weak Security Question Answer',
        'Answers that can be researched or guessed, and no limit on attempts.',
      ],
      [
        'Testing for Weak Password Change or Reset Functionalities',
        'Is the old password required, is the token random, single-use and short-lived, does the host header reach the mail?',
      ],
      [
        'Testing for Weaker Authentication in Alternative Channel',
        'Mobile app, API, phone and old sites: the same factors and limits as the main sign-in.',
      ],
    ],
  ],
  [
    'ATHZ',
    'Authorization Testing',
    '05-Authorization_Testing',
    [
      [
        'Testing Directory Traversal File Include',
        'Paths in parameters, cookies and uploads: `../`, encodings, absolute paths, wrappers.',
      ],
      [
        'Testing for Bypassing Authorization Schema',
        'Repeat each request without a session and with other roles, also with other methods and headers.',
      ],
      [
        'Testing for Privilege Escalation',
        'Change role, group or status in requests and tokens; use functions of a higher role directly.',
      ],
      [
        'Testing for Insecure Direct Object References',
        'Replace ids by those of another user or client, for reading, changing and deleting.',
      ],
    ],
  ],
  [
    'SESS',
    'Session Management Testing',
    '06-Session_Management_Testing',
    [
      [
        'Testing for Session Management Schema',
        'Collect session tokens: randomness, length, meaning, and whether the server rejects changed ones.',
      ],
      [
        'Testing for Cookies Attributes',
        '`Secure`, `HttpOnly`, `SameSite`, domain, path and lifetime of every cookie.',
      ],
      [
        'Testing for Session Fixation',
        'Does sign-in issue a new token, and does a token from before sign-in become valid?',
      ],
      [
        'Testing for Exposed Session Variables',
        'Tokens in addresses, logs, referrers and caches, or accepted by `GET`.',
      ],
      [
        'Testing for Cross Site Request Forgery',
        'Send each change from another site: token bound to the session, `SameSite`, content type, `Origin`.',
      ],
      [
        'Testing for Logout Functionality',
        'The old token is refused after sign-out, at every service and identity provider.',
      ],
      ['Testing Session Timeout', 'The server ends idle and old sessions; the limit fits the risk.'],
      [
        'Testing for Session Puzzling',
        'Does a session value that one function sets give rights in another, for example after a reset?',
      ],
      ['Testing for Session Hijacking', 'Use a captured cookie elsewhere; check which cookies travel without TLS.'],
    ],
  ],
]
