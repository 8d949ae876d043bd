import { withPlatform } from '../operator-platform.ts'
import { DEMO_PEOPLE, seedDemo } from './seed-demo.ts'

await withPlatform(async (platform) => {
  // No fixed password: a reverse proxy may also expose a demonstration to others (finding S28).
  const { ADMIN_PASSWORD: password } = platform.config
  if (password === undefined) throw new Error('ADMIN_PASSWORD is not set: npm run demo sets it')
  await seedDemo(platform, password)
  const [[, owner], ...others] = DEMO_PEOPLE
  const names = others.map(([, email]) => email.split('@')[0]).join(', ')
  process.stderr.write(
    `\n  A look around: sign in as ${owner}, password: ${password}\n  (also ${names} at northwind.example: admin, then members)\n`,
  )
})
