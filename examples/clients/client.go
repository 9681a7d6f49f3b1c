// Plays a whole match, follows a hint and a job, with the types that openapi-generator makes of the service's document:
//
//	openapi-generator-cli generate -g go -i http://127.0.0.1:8000/openapi.json -o athanor -p packageName=athanor \
//	  -p enumClassPrefix=true --inline-schema-options RESOLVE_INLINE_ENUMS=true
//	go run client.go http://127.0.0.1:8000
//
// Without these options, a position of one game may be taken for another's.
package main

import (
	"athanor"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

var client *athanor.APIClient
var ctx = context.Background()

// check ends the program with the service's own message, if it refused the request.
func check(err error) {
	if err == nil {
		return
	}
	if refused, ok := err.(*athanor.GenericOpenAPIError); ok {
		if fault, ok := refused.Model().(athanor.Error); ok {
			err = fmt.Errorf("%s: %s: %s", fault.Error.Code, fault.Error.Path, fault.Error.Message)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// play plays a match in which the player always makes the first legal move, and returns its end.
func play(start athanor.Saved) *athanor.Match {
	state, _, err := client.MatchesAPI.Match(ctx).MatchRequest(*athanor.NewMatchRequest(start)).Execute()
	for check(err); state.ToMove.Get() != nil; check(err) {
		if state.HasChoice {
			body := athanor.NewMatchRequest(state.Match)
			body.SetMoves(state.LegalMoves[:1])
			state, _, err = client.MatchesAPI.Match(ctx).MatchRequest(*body).Execute()
		} else {
			body := athanor.NewSearchTurnRequest(state.Match)
			state, _, err = client.MatchesAPI.MatchTurn(ctx).SearchTurnRequest(*body).Execute()
		}
	}
	return state
}

// hint calls progressed with the stages of a hint as they come, and returns the hint. A generated call returns only
// when all has arrived, so this one is written out.
func hint(address string, asked *athanor.HintRequest, progressed func(stage string)) any {
	body, err := json.Marshal(asked)
	check(err)
	answer, err := http.Post(address+"/v1/hint?stream=true", "application/json", bytes.NewReader(body))
	check(err)
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	for {
		line, err := lines.ReadBytes('\n')
		check(err)
		var progress athanor.ProgressLine
		if json.Unmarshal(line, &progress) == nil {
			progressed(progress.Progress.Stage)
			continue
		}
		var failed athanor.Error
		if json.Unmarshal(line, &failed) == nil {
			check(fmt.Errorf("%s: %s", failed.Error.Code, failed.Error.Message))
		}
		var last athanor.AnyHint
		check(json.Unmarshal(line, &last))
		return last.GetActualInstance()
	}
}

// job submits a job, and returns its results when it has ended, and its state.
func job(kind athanor.JobRequestKind, questions ...any) (results []athanor.ResultLine) {
	made, _, err := client.JobsAPI.SubmitJob(ctx).JobRequest(*athanor.NewJobRequest(kind, questions)).Execute()
	check(err)
	text, _, err := client.JobsAPI.JobResults(ctx, made.Id).Stream(true).Execute()
	check(err)
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		var result athanor.ResultLine
		check(json.Unmarshal([]byte(line), &result))
		results = append(results, result)
	}
	return results
}

func main() {
	address := os.Args[1]
	config := athanor.NewConfiguration()
	config.Servers = athanor.ServerConfigurations{{URL: address}}
	client = athanor.NewAPIClient(config)

	start := athanor.NewSaved("alchemy", 1, 0.05)
	start.SetVariant("duel")
	fmt.Println(strings.Join(play(*start).Ended.Get().Summary, " "))

	line := "kirin seat=2 leader=0 hand=D1,D2,D3,D4,D5,D6,DT,D+,D-"
	asked := athanor.NewHintRequest(athanor.StringAsPositionOrText(&line))
	limit := athanor.NewHintLimit()
	limit.SetSeconds(0.3)
	asked.SetLimit(*limit)
	last := hint(address, asked, func(stage string) { fmt.Println("progress:", stage) })
	fmt.Println(last.(*athanor.SampledHint).Reason)

	deals := map[string]any{"game": "kirin", "seed": 1, "deals": 3}
	for _, result := range job("deal", deals, map[string]any{"game": "chess"}) {
		if job, ended := result.GetJobOk(); ended && job != nil {
			fmt.Println("job:", job.Status)
		} else if fault, failed := result.Result["error"]; failed {
			fmt.Println("fault:", fault.(map[string]any)["path"])
		} else {
			fmt.Println("deal:", result.Result["number"])
		}
	}
}
