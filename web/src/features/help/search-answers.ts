import type { HelpAnswer, HelpGroup } from './answers.ts'

/** The groups with the answers that contain every searched word, in any order, even inside a longer word. */
export function searchAnswers(groups: readonly HelpGroup[], search: string): HelpGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return groups
    .map((group) => ({
      ...group,
      answers: group.answers.filter((answer) => {
        const text = textOf(group, answer)
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter(({ answers }) => answers.length > 0)
}

const textOf = ({ title }: HelpGroup, { question, paragraphs }: HelpAnswer) =>
  [title, question, ...paragraphs].join(' ').toLowerCase()
