/** cURL options with a value, by the name used in the import. */
export const WITH_VALUE: Readonly<Record<string, string>> = {
  '-X': 'method',
  '--request': 'method',
  '-H': 'header',
  '--header': 'header',
  '-d': 'data',
  '--data': 'data',
  '--data-ascii': 'data',
  '--data-raw': 'raw',
  '--data-binary': 'binary',
  '--data-urlencode': 'urlencode',
  '--json': 'json',
  '-F': 'form',
  '--form': 'form',
  '--form-string': 'form-string',
  '-u': 'user',
  '--user': 'user',
  '-A': 'agent',
  '--user-agent': 'agent',
  '-e': 'referer',
  '--referer': 'referer',
  '-b': 'cookie',
  '--cookie': 'cookie',
  '--url': 'url',
  '-m': 'time',
  '--max-time': 'time',
  '--max-redirs': 'redirects',
  '--oauth2-bearer': 'bearer',
}

export const SWITCHES: Readonly<Record<string, string>> = {
  '-G': 'get',
  '--get': 'get',
  '-I': 'head',
  '--head': 'head',
  '-k': 'insecure',
  '--insecure': 'insecure',
  '-L': 'follow',
  '--location': 'follow',
  '--http1.1': 'http1',
  '--compressed': 'compressed',
  '--digest': 'digest',
  '--ntlm': 'ntlm',
  '--negotiate': 'negotiate',
}

const set = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))

/** They control cURL's behaviour, not the request. */
export const SILENT = set(`
  -s --silent -S --show-error -i --include -v --verbose -f --fail -g --globoff -# --progress-bar -N --no-buffer --http2 --path-as-is -O --remote-name -J
  --remote-header-name --fail-with-body --no-progress-meter -q --disable -R --remote-time --create-dirs --parallel -Z --tcp-nodelay --no-keepalive`)

/** Like `SILENT`, with a value. */
export const SILENT_WITH_VALUE = set(`
  -o --output -w --write-out --connect-timeout --retry --retry-delay --retry-max-time --stderr -D --dump-header -c --cookie-jar --output-dir --trace
  --trace-ascii --libcurl --parallel-max --rate --limit-rate -y --speed-time -Y --speed-limit --keepalive-time --expect100-timeout`)

/** They read files of the cURL user: the server reads none of its own. */
export const FROM_FILES = set(
  `-T --upload-file -K --config --cert -E --key --cacert --capath --crlfile --netrc-file --proxy-cacert --proxy-cert --proxy-key`,
)

/** They change the request or its destination and are not imported. Their value is not the URL of the request. */
export const NOT_TAKEN = set(`
  -x --proxy -U --proxy-user --proxy-header --preproxy --socks4 --socks4a --socks5 --socks5-hostname --noproxy --resolve --connect-to --interface
  --local-port --dns-servers --dns-interface --doh-url --unix-socket --abstract-unix-socket -r --range -C --continue-at -Q --quote -t --telnet-option -z
  --time-cond -P --ftp-port --ciphers --tls13-ciphers --tls-max --curves --pinnedpubkey --cert-type --key-type --pass --max-filesize --proto
  --proto-default --proto-redir --aws-sigv4 --request-target --url-query --variable --service-name --delegation --engine --hsts --alt-svc --login-options
  --mail-from --mail-rcpt --sasl-authzid --etag-compare --etag-save --happy-eyeballs-timeout-ms --haproxy-clientip --tlsuser --tlspassword --tlsauthtype`)
