import { serveJobs } from '../../shared/serve-jobs.ts';
import { trialJobs } from './trial.ts';

serveJobs(trialJobs);
