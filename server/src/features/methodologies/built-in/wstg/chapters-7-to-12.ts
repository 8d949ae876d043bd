import type { Chapter } from './chapter.ts'

/** From input validation to APIs. */
export const CHAPTERS_7_TO_12: readonly Chapter[] = [
  [
    'INPV',
    'Input Validation Testing',
    '07-Input_Validation_Testing',
    [
      [
        'Testing for Reflected Cross Site Scripting',
        'Mark every input, find it in the answer, and leave its context: text, attribute, script, URL.',
      ],
      [
        'Testing for Stored Cross Site Scripting',
        'Save markup wherever text is kept; look where others see it: lists, mails, exports, admin pages.',
      ],
      [
        'Testing for HTTP Verb Tampering',
        'Does another or an invented method get past a rule that names only `GET` and `POST`?',
      ],
      [
        'Testing for HTTP Parameter Pollution',
        'Send a parameter twice, in query and body: which value do filter and application use?',
      ],
      [
        'Testing for SQL Injection',
        'Quotes, operators, delays and errors in every value that may reach a query, sort orders and headers included.',
      ],
      [
        'Testing for LDAP Injection',
        '`*`, `(`, `)` and `\\` in sign-in and directory searches: more results, or a sign-in without a password?',
      ],
      [
        'Testing for XML Injection',
        'Tags, entities and CDATA in values that become XML; external entities where XML is parsed.',
      ],
      [
        'Testing for SSI Injection',
        'Server-side include directives in values that reach pages with `.shtml` or a similar handler.',
      ],
      ['Testing for XPath Injection', 'Quotes and boolean expressions where data is selected from XML.'],
      [
        'Testing for IMAP SMTP Injection',
        'Line breaks and mail commands in mail forms: additional recipients, headers or commands.',
      ],
      ['Testing for Code Injection', 'Input that is evaluated or included as code, local and remote files included.'],
      [
        'Testing for Command Injection',
        'Separators, substitutions and delays in values that become arguments of a program.',
      ],
      [
        'Testing for Format String Injection',
        '`%s`, `%x`, `%n` and `{0}` in every input: crashes, memory contents or internal values.',
      ],
      [
        'Testing for Incubated Vulnerability',
        'Input that is stored now and takes effect later, in a job, a report or another application.',
      ],
      [
        'Testing for HTTP Splitting Smuggling',
        'Line breaks in headers; conflicting lengths between proxy and back end. Agree on it first: it affects others.',
      ],
      [
        'Testing for HTTP Incoming Requests',
        'Watch what the server really receives and sends while the client is used: unexpected calls, unencrypted parts.',
      ],
      [
        'Testing for Host Header Injection',
        'Change `Host` and `X-Forwarded-Host`: links in mails, redirects, cached pages, other virtual hosts.',
      ],
      [
        'Testing for Server-side Template Injection',
        'Expressions such as `{{7*7}}` and `${7*7}` in text that a template renders.',
      ],
      [
        'Testing for Server-Side Request Forgery',
        'Addresses that the server fetches: internal hosts, metadata services, other schemes, redirects, DNS changes.',
      ],
    ],
  ],
  [
    'ERRH',
    'Testing for Error Handling',
    '08-Testing_for_Error_Handling',
    [
      [
        'Testing for Improper Error Handling',
        'Provoke errors with wrong types, sizes and methods: internal details, or a state that is less secure?',
      ],
      ['Testing for Stack Traces', 'Which inputs return stack traces, paths, queries or versions?'],
    ],
  ],
  [
    'CRYP',
    'Testing for Weak Cryptography',
    '09-Testing_for_Weak_Cryptography',
    [
      [
        'Testing for Weak Transport Layer Security',
        'Protocols, ciphers, keys, chain and renewal of the certificate; mixed content.',
      ],
      [
        'Testing for Padding Oracle',
        'Change encrypted values byte by byte: does the server answer differently for wrong padding?',
      ],
      [
        'Testing for Sensitive Information Sent via Unencrypted Channels',
        'Credentials, tokens and personal data over HTTP, mail or other channels without encryption.',
      ],
      [
        'Testing for Weak Encryption',
        'Algorithms, modes, key lengths, hashes of passwords and sources of randomness, in code and in data.',
      ],
    ],
  ],
  [
    'BUSL',
    'Business Logic Testing',
    '10-Business_Logic_Testing',
    [
      [
        'Test Business Logic Data Validation',
        'Values that are valid in form and wrong in meaning: negative amounts, past dates, other currencies.',
      ],
      [
        'Test Ability to Forge Requests',
        'Send hidden, predicted or computed parameters directly: prices, flags, steps.',
      ],
      [
        'Test Integrity Checks',
        'Change fields that the page hides or locks; does the server compare them with its own data?',
      ],
      [
        'Test for Process Timing',
        'Does the duration of an answer tell something, and can a slow or parallel process be exploited?',
      ],
      [
        'Test Number of Times a Function Can Be Used Limits',
        'Use vouchers, votes and trials more often than allowed, also in parallel.',
      ],
      [
        'Testing for the Circumvention of Work Flows',
        'Leave steps out, repeat them or change their order, and abort a process halfway.',
      ],
      [
        'Test Defenses Against Application Misuse',
        'Does the application notice an obvious attack, and what does it do: log, slow down, lock, alert?',
      ],
      [
        'Test Upload of Unexpected File Types',
        'Files of other types and with double or missing extensions: stored, delivered or executed?',
      ],
      [
        'Test Upload of Malicious Files',
        'A test virus, archives that grow, scripts and documents with macros. Agree on it first.',
      ],
    ],
  ],
  [
    'CLNT',
    'Client-side Testing',
    '11-Client-side_Testing',
    [
      [
        'Testing for DOM-Based Cross Site Scripting',
        'Follow values of the address, `referrer`, storage and messages in scripts to where they become markup or code.',
      ],
      [
        'Testing for JavaScript Execution',
        'Input that scripts pass to `eval`, timers, event handlers or script addresses.',
      ],
      ['Testing for HTML Injection', 'Markup without scripts: forged forms, links and texts in the page.'],
      [
        'Testing for Client-side URL Redirect',
        'Scripts that send the browser to an address from the query or the fragment.',
      ],
      ['Testing for CSS Injection', 'Input in style sheets or `style`: does it hide elements or reveal values?'],
      [
        'Testing for Client-side Resource Manipulation',
        'Addresses of scripts, frames and images that an input chooses.',
      ],
      [
        'Testing Cross Origin Resource Sharing',
        'Which origins get `Access-Control-Allow-Origin` with credentials: reflected, `null`, subdomains?',
      ],
      ['Testing for Cross Site Flashing', 'Old Flash content that is still delivered; parameters that it trusts.'],
      [
        'Testing for Clickjacking',
        'Load pages that change something in a frame: `frame-ancestors`, `X-Frame-Options`, confirmation.',
      ],
      ['Testing WebSockets', '`Origin` at the handshake, authorization of each message, input validation, encryption.'],
      [
        'Testing Web Messaging',
        '`postMessage`: does the receiver check the origin, and does the sender name the target?',
      ],
      [
        'Testing Browser Storage',
        'Tokens and personal data in local and session storage, IndexedDB and caches, also after sign-out.',
      ],
      [
        'Testing for Cross Site Script Inclusion',
        'Scripts and JSONP that contain personal data and load from any site.',
      ],
    ],
  ],
  [
    'APIT',
    'API Testing',
    '12-API_Testing',
    [
      [
        'Testing GraphQL',
        'Introspection, authorization of each field, nested and batched queries, limits on cost and depth.',
      ],
    ],
  ],
]
