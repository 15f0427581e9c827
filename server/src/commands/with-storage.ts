import { type Config, readConfig } from '../core/config.ts'
import { ForeignStorage } from '../files/storage-owner.ts'
import { StorageRefused, StorageUnavailable } from '../providers/files/file-storage.ts'

/** Runs a command about files and returns its exit code. Describes problems with the storage in one line. */
export async function withStorage(work: (config: Config) => Promise<number>): Promise<number> {
  try {
    return await work(readConfig())
  } catch (error) {
    if (error instanceof StorageUnavailable)
      console.error(`The files are unavailable: ${String(error.cause)}. Run the command again later.`)
    else if (error instanceof StorageRefused) console.error(error.message)
    else if (error instanceof ForeignStorage) console.error(`Nothing was changed: ${error.message}.`)
    else throw error
    return 1
  }
}
