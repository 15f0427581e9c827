import { type SandboxOptions, startSandbox } from '../sandbox.ts'

/** A sandbox in its own process, which tests can kill. Prints its URL on the first line. */
const options: SandboxOptions & { port: number } = JSON.parse(process.argv[2] ?? '{}')
const { url } = await startSandbox(options)
console.log(url)
