import { listSettings, type Setting } from '../server/src/core/config.ts'

const INTRODUCTION = `# Settings

<!-- Made from the schema in server/src/core/config.ts. Renew it with: npx vitest run scripts/docs.test.ts -u -->

What a machine needs is set with environment variables. None is needed to start a demo on your own machine. A bad value stops the start with one line that names the variable, and an empty value counts as unset. Instead of a variable with a secret, the variable with \`_FILE\` after its name can name a file with the value. What the operator of a market decides, such as its name, categories, fees and limits, is set in \`/admin/settings\` instead.`

/** docs/settings.md, from the schema of the environment. */
export function settingsPage(): string {
  const sections = listSettings().map(
    ({ section, settings }) => `## ${section}\n\n${settings.map(entry).join('\n')}`,
  )
  return `${[INTRODUCTION, ...sections].map(wrapLines).join('\n\n')}\n`
}

const entry = ({ name, meaning, unset, isSecret }: Setting) =>
  `- **\`${name}\`**${isSecret ? ` or \`${name}_FILE\`` : ''} (default: ${unset}). ${meaning}`

/** Lines of up to 110 characters, as in the code. Further lines of an entry are indented. */
function wrapLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/(.{1,108})(?: |$)/g, line.startsWith('- ') ? '  $1\n' : '$1\n').trim())
    .join('\n')
}
