import { useEffect, useState } from 'react'

/** All waiting calls share one dialog. */
interface Question {
  answer: (isConfirmed: boolean) => void
  answered: Promise<boolean>
}

/** Lets a mounted dialog answer calls of `asker.ask`. Returns null while no call waits for an answer. */
export function useQuestion(asker: { ask: () => Promise<boolean> }): Question | null {
  const [question, setQuestion] = useState<Question | null>(null)
  useEffect(() => {
    let open: Question | null = null
    const { ask } = asker
    asker.ask = () => {
      open ??= createQuestion(() => {
        open = null
        setQuestion(null)
      })
      setQuestion(open)
      return open.answered
    }
    return () => {
      asker.ask = ask
      open?.answer(false)
    }
  }, [asker])
  return question
}

function createQuestion(onAnswered: () => void): Question {
  const { promise: answered, resolve } = Promise.withResolvers<boolean>()
  const answer = (isConfirmed: boolean) => {
    onAnswered()
    resolve(isConfirmed)
  }
  return { answer, answered }
}
