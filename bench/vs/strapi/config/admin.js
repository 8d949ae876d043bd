const salt = 'a salt of the benchmarks'

module.exports = {
  auth: { secret: 'a secret of the benchmarks, long enough to be one' },
  apiToken: { salt },
  transfer: { token: { salt } },
  serveAdminPanel: false,
}
