import { type SandboxOptions, startSandbox } from '../sandbox.ts'

/** A sandbox in a process of its own, which a test may kill. Says where it listens on the first line. */
const options: SandboxOptions = JSON.parse(process.argv[2] ?? '{}')
const { url } = await startSandbox(options)
console.log(url)
