/** Text about all operations, in Markdown: paragraphs, headings and lists only. */
export const INTRODUCTION = `Requests and responses are JSON. Paths are appended to the origin of the instance.

## Authentication

Every request carries \`Authorization: Bearer <API_KEY>\`. A key is made by an owner or admin in the organization settings of the web interface, belongs to that organization and holds the scopes chosen then. A missing, invalid or deleted key gets 401, a missing scope 403. Each operation names its scope in \`x-scope\`; \`*\` means any valid key.

## Answers

A success has its payload under \`data\`; lists add \`meta\`. Timestamps are ISO 8601 in UTC with milliseconds; identifiers are a type prefix and an opaque suffix. Anything else is \`{"error": {"code", "message", "statusCode"}}\` with one of eight codes. Checks run in this order: 401, 429, 403, 400, 422, 404, 409 (open point 13). A path that does not exist, and a method that a path does not have, get 404.

## Rate limits

Limits are counted per API key; requests without a valid key count per client address (open point 19). Every response shows the caller's position: \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. After 429, wait for \`Retry-After\` seconds and retry with exponential backoff.

## Repeating a request

Send a new \`Idempotency-Key\` with every POST, for instance a UUID, and the POST may be repeated whenever its answer is lost or is 503: it takes effect once (open point 39). Within 24 hours the same key with the same method, path, query and body is answered with the status and the body of the first answer, byte for byte, and the header \`Idempotency-Replayed: true\`; with anything else it is answered 409. Only successes are kept: after a refusal, the same request is processed again. Requests that arrive while the first is under way wait for its answer, two seconds at most, then 503. A key counts for one API key only; a repetition counts against the rate limit, and is refused like any request once the API key is deleted or lacks the scope. GET, PATCH and DELETE ignore the header.

## What is specified, and what is ours

\`x-origin: specified\` marks what the specification of this API describes, \`x-origin: extension\` what this project adds. Where the specification leaves a point open, this project has decided it: \`x-decisions\` lists those decisions, and texts refer to them as "open point N". They are choices of this project and not part of the specification.`
