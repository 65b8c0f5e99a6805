import { serveJobs } from '../../shared/serve-jobs.ts';
import { dosTrialJobs } from './dos-trial.ts';

serveJobs(dosTrialJobs);
