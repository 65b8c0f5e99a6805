import { serveJobs } from '../../built-in/serve-jobs.ts';
import { jobs } from './jobs.ts';

serveJobs(jobs);
