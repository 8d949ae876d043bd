const salt = 'a salt of the benchmarks'
const secret = 'a secret of the benchmarks, long enough to be one'
module.exports = { auth: { secret }, apiToken: { salt }, transfer: { token: { salt } }, serveAdminPanel: false }
